import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorWord, errors } from '../../shared/contract/errors.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { advice } from '../../shared/reference/advice.ts'
import { openApiDocument } from '../../shared/reference/document.ts'
import { guideFiles, guides } from '../../shared/reference/guides.ts'
import { examplesIn, isShown, languages } from '../support/guide-examples.ts'

const root = join(import.meta.dirname, '../..')
const words = Object.keys(errors) as ErrorWord[]
const contract = globSync('shared/contract/**/*.{ts,json}', { cwd: root })
  .map(file => readFileSync(join(root, file), 'utf8'))
  .join('\n')
const names = new Set(contract.match(/\w+/g))

/** The inline code of a text; routes without their bodies. */
const codeIn = (text: string): string[] =>
  [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/[ ?].*$/, ''))

const patterns = routes.map(
  ({ path }) => new RegExp(`^${path.replace(/\{\w+\+\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
)
const isRoute = (code: string): boolean =>
  [code, `/${code}`, `/service/${code}`].some(path => patterns.some(pattern => pattern.test(path)))

// `/wines/…` means several routes. Other paths are not routes.
const isPath = (code: string): boolean => /^\/?[A-Za-z]+(\/[\w{}]+)+$/.test(code) && code !== 'application/json'
const isOwnWord = (code: string): boolean => /^[a-z]+(_[a-z]+)+$/.test(code)

const texts = [
  ...guides.map(({ title, text }): [string, string] => [title, text]),
  ...words.map((word): [string, string] => [word, advice[word]]),
]

test.each(texts)('%s names only existing routes', (_, text) => {
  expect(codeIn(text).filter(code => isPath(code) && !isRoute(code))).toEqual([])
})

test.each(texts)('%s names only error words, fields and values of the contract', (_, text) => {
  expect(codeIn(text).filter(code => isOwnWord(code) && !names.has(code))).toEqual([])
})

test('an unknown route or word is found', () => {
  expect(codeIn('`wines/getEverything {"id": 1}` refuses with `wine_lost`')).toEqual([
    'wines/getEverything',
    'wine_lost',
  ])
  expect(isPath('wines/getEverything') && !isRoute('wines/getEverything')).toBe(true)
  expect(isOwnWord('wine_lost') && !names.has('wine_lost')).toBe(true)
  expect(['/service/login', 'orders/add', '/wines/getAll', '/localization/de', '/PDF/{id}/{file}'].every(isRoute)).toBe(
    true,
  )
})

describe('the advice on an error word', () => {
  test.each(words)('%s consists of sentences, and does not repeat the word’s own', word => {
    const text = advice[word]
    expect(text).toMatch(/^[A-Z].{60,420}\.$/)
    expect(text).not.toContain(errors[word][1])
  })

  test('is unique', () => {
    expect(new Set(words.map(word => advice[word])).size).toBe(words.length)
  })
})

describe('the guides', () => {
  test('are the files of their folder, with unique titles', () => {
    const files = globSync('*.md', { cwd: join(root, 'shared/reference/guides') }).map(file => file.replace('.md', ''))
    expect([...guideFiles].toSorted()).toEqual(files.toSorted())
    expect(new Set(guides.map(({ title }) => title)).size).toBe(guides.length)
  })

  test.each(guides.map(({ title, text }) => [title, text]))('%s has sections and one title', (_, text) => {
    expect(text).toMatch(/^## /m)
    expect(text.replaceAll(/^```.*?^```$/gms, '')).not.toMatch(/^# /m)
  })

  const guide = (name: string) => guides.find(({ title }) => title === name)?.text ?? ''

  test('list every route that requires the role desk', () => {
    const [, list = ''] = /^The role `desk` is required by (.*?)\. /ms.exec(guide('Signing in')) ?? []
    const required = routes.filter(({ role }) => role === 'desk').map(({ path }) => path.replace('/service/', ''))
    expect(codeIn(list).toSorted()).toEqual(required.toSorted())
  })

  test('have a row for every status of an error', () => {
    const rows = guide('Errors').match(/^\| \d.*?\|/gm)
    const shown = rows?.flatMap(row => row.match(/\d+/g)?.map(Number) ?? [])
    expect(shown?.toSorted()).toEqual([...new Set(words.map(word => errors[word][0]))].toSorted())
  })

  const descriptionAt = (baseUrl: string) => JSON.stringify(openApiDocument({ baseUrl }))

  test.each([
    'http://localhost:3999',
    'http://127.0.0.1:80',
  ])('and examples use the demo merchant on the local service %s', baseUrl => {
    const text = descriptionAt(baseUrl)
    for (const part of [`api=${baseUrl}\\n`, 'wk-demo-elbufer', 'npm ci && npm start'])
      expect(text.includes(part)).toBe(true)
    expect(text.match(/.{20}(localhost:3000|API_TOKEN|<!--)/g)).toBeNull()
  })

  test('and examples do not name the demo merchant elsewhere', () => {
    const text = descriptionAt('https://wine.example')
    for (const part of [
      'api=https://wine.example\\n',
      '\\"token\\": \\"API_TOKEN\\"',
      'Put the AuthID and an API token',
    ])
      expect(text.includes(part)).toBe(true)
    expect(text.match(/.{20}(localhost:|wk-demo|wka_5ddb|npm start|<!--)/g)).toBeNull()
  })

  const withExamples = guides.filter(({ title }) => title !== 'Changelog')

  test.each(withExamples.map(({ title, text }) => [title, text]))('%s has its examples in each language', (_, text) => {
    for (const language of languages) {
      const examples = examplesIn(text, language)
      expect([language, examples.length > 0]).toEqual([language, true])
      expect([language, examples.some(({ shown }) => shown)]).toEqual([language, true])
    }
  })
})

describe('an example', () => {
  const text =
    'a\n```sh\none\n```\n\n```js\ntwo\n```\n\n```text\nshown …\n```\n\nb\n\n```sh\nthree\n```\n\nc\n\n```text\nlate\n```\n'

  test('is shown with the output directly below it, or below those of other languages', () => {
    expect(examplesIn(text, 'sh')).toEqual([
      { code: 'one\n', shown: ['shown …'] },
      { code: 'three\n', shown: undefined },
    ])
    expect(examplesIn(text, 'js')).toEqual([{ code: 'two\n', shown: ['shown …'] }])
  })

  test('shows its exact output, except for variable parts', () => {
    expect(['a b c', 'a b'].map(line => isShown(line, 'a b'))).toEqual([false, true])
    expect(['a 1 b 2', 'a b', 'a  b ', 'ab', 'x a 1 b 2', 'a 1 c'].map(line => isShown(line, 'a … b …'))).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(isShown('', '…')).toBe(true)
  })
})
