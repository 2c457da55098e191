import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventsDocument, tables, withPart, withTables } from '../../lib/docs.ts'
import { demoCredentials } from '../../lib/tool/demo/credentials.ts'
import { jobs } from '../../shared/contract/jobs.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { type Counts, costTables, dollarsOf, idleColumn } from '../bench/costs/month.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const operations = 'lib/stack/OPERATIONS.md'
const documents = globSync('{*,.github/*,{bin,functions,lib,shared,test}/**/*}.md', { cwd: root }).filter(
  file => !file.startsWith('shared/reference/guides') && !file.includes('node_modules'),
)
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

describe('the tables of functions/README.md', () => {
  test('are those that npm run docs generates', () => {
    expect(read('functions/README.md')).toBe(withTables(read('functions/README.md')))
  })

  test('have a row for every route', () => {
    const rows = tables.routes?.split('\n').slice(2) ?? []
    expect(rows.map(row => /`(.+?)`/.exec(row)?.[1])).toEqual(routes.map(({ path }): string => path).sort())
  })

  test('replace the text between their markers, and nothing else', () => {
    const around = (inside: string) =>
      `a\n<!-- routes -->${inside}<!-- /routes -->\nb\n<!-- jobs -->${inside}<!-- /jobs -->\nc`
    const made = withTables(around('old'))
    expect(made).toMatch(/^a\n<!-- routes -->\n\n\| route .*\n<!-- \/routes -->\nb\n<!-- jobs -->\n\n.*\nc$/s)
    expect(made).not.toContain('old')
    expect(withTables(made)).toBe(made)
    expect(() => withTables('<!-- routes --><!-- /routes -->')).toThrow('<!-- jobs -->')
  })
})

describe('the costs in OPERATIONS', () => {
  const counts: Counts = JSON.parse(read('test/bench/costs/counts.json'))

  test('are the results of test/bench/costs.ts', () => {
    expect(read(operations)).toBe(withPart(read(operations), 'costs', costTables(counts)))
  })

  test('include all timed jobs, at their frequency', () => {
    const timed = jobs.flatMap(({ file, trigger }) =>
      'everyMinutes' in trigger ? [{ job: file as string, everyMinutes: trigger.everyMinutes }] : [],
    )
    expect(counts.timed.map(({ job, everyMinutes }) => ({ job, everyMinutes }))).toEqual(timed)
  })

  test('are of 1,000 requests, and 1,000 idle merchants cost at most $2 a month', () => {
    expect(counts.steps.reduce((sum, { of1000 }) => sum + of1000, 0)).toBe(1000)
    expect(dollarsOf(idleColumn(counts))['together, callers that take gzip']).toBeLessThanOrEqual(2)
  })
})

test('the JSON Schema of events is the one that npm run docs generates', () => {
  expect(read('shared/contract/events.schema.json')).toBe(eventsDocument())
})

test('README names the demo merchants with their credentials', () => {
  for (const { name, authid, token, deskToken } of demoCredentials()) {
    const row = `\\| \`${authid}\` \\| \`${token}\` \\| \`${deskToken}\` \\|$`
    expect(read('README.md')).toMatch(new RegExp(`^\\| ${name} .*${row}`, 'm'))
  }
})

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(documents)('%s', document => {
  const text = read(document)

  test('names only commands that package.json has', () => {
    const named = [...text.matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/g)].map(([, run, own]) => run ?? own)
    expect(named.filter(name => !scripts.includes(name ?? ''))).toEqual([])
  })

  test('names and links only existing files and headings', () => {
    const places = /`((?:bin|functions|lib|shared|test|\.github)\/[^`\s*…]*)`/g
    const named = [...text.matchAll(places)].map(([, place = '']) => place.replaceAll(/[.,]$/g, ''))
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, to = '']) => to.split('#'))
    const missing = links.filter(([file, anchor]) => {
      const target = file ? join(dirname(document), file) : document
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor)
    })
    expect(named.filter(place => !existsSync(join(root, place)))).toEqual([])
    expect(missing.map(link => link.join('#'))).toEqual([])
  })
})

test('shared/README.md links functions in the files that have them', () => {
  const links = [...read('shared/README.md').matchAll(/\[`(\w+)`\]\((?!https?:)([^)]+\.ts)\)/g)]
  expect(links.length).toBeGreaterThan(10)
  const has = (name: string, file: string) => new RegExp(`\\b${name}\\b`).test(read(join('shared', file)))
  expect(links.filter(([, name = '', file = '']) => !has(name, file)).map(([link]) => link)).toEqual([])
})

test('the map in README has every folder of lib/ and shared/', () => {
  const [, map = ''] = /^## Map\n(.*?)^## /ms.exec(read('README.md')) ?? []
  const folders = globSync('{lib,shared}/*/', { cwd: root }).map(folder => folder.replace(/[\\/]$/, ''))
  expect(folders.filter(folder => !map.includes(`(${folder.replaceAll('\\', '/')}`))).toEqual([])
})

test('README has at most 250 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(250)
})
