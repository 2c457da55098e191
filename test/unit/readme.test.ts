import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventsDocument, tables, withPart, withTables } from '../../lib/docs.ts'
import { demoCredentials } from '../../lib/tool/demo/credentials.ts'
import { routes } from '../../shared/contract/index.ts'
import { jobs } from '../../shared/contract/jobs.ts'
import { type Counts, costTables, dollarsOf, idleColumn } from '../bench/costs/month.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const operations = 'lib/stack/OPERATIONS.md'
const documents = [
  ...['README.md', 'bin/README.md', 'functions/README.md', 'shared/README.md', 'lib/stack/README.md'],
  ...['lib/twin/README.md', 'test/README.md'],
  ...[operations, '.github/CONTRIBUTING.md'],
]
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

describe('the tables of functions/README.md', () => {
  test('are what npm run docs makes of the routes and jobs', () => {
    expect(read('functions/README.md')).toBe(withTables(read('functions/README.md')))
  })

  test('have a row for every route', () => {
    const rows = tables.routes?.split('\n').slice(2) ?? []
    expect(rows.map(row => /`(.+?)`/.exec(row)?.[1])).toEqual(routes.map(({ path }): string => path).sort())
  })

  test('replace what stands between their markers, and nothing else', () => {
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

  test('are what test/bench/costs.ts has counted', () => {
    expect(read(operations)).toBe(withPart(read(operations), 'costs', costTables(counts)))
  })

  test('are of all timed jobs, as often as they run', () => {
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

test('the JSON Schema of events is what npm run docs makes of the contract', () => {
  expect(read('shared/contract/events.schema.json')).toBe(eventsDocument())
})

test('README names the demo merchants with the credentials they have', () => {
  for (const { name, authid, token } of demoCredentials()) {
    expect(read('README.md')).toMatch(new RegExp(`^\\| ${name} .*\`${authid}\` \\| \`${token}\` \\|$`, 'm'))
  }
})

describe.each(documents)('%s', document => {
  const text = read(document)

  test('names only commands that package.json has', () => {
    const named = [...text.matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/g)].map(([, run, own]) => run ?? own)
    expect(named.filter(name => !scripts.includes(name ?? ''))).toEqual([])
  })

  test('links only to headings that the other document has', () => {
    const slug = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-')
    const broken = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(([, to = '', anchor = '']) => {
      const other = read(to === '' ? document : join(dirname(document), to))
      return ![...other.matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => slug(heading) === anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test('names only files that are there', () => {
    const places = /`((?:bin|functions|lib|shared|test|\.github)\/[^`\s*…]*)`/g
    const named = [...text.matchAll(places)].map(([, place = '']) => place.replaceAll(/[.,]$/g, ''))
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => join(dirname(document), to))
    expect(named.length).toBeGreaterThan(0)
    expect([...named, ...links].filter(place => !existsSync(join(root, place)))).toEqual([])
  })
})

test('README tells of every folder of bin/, lib/, shared/ and test/', () => {
  const [, layout = ''] = /^## How it is built\n.*?```\n(.*?)```/ms.exec(read('README.md')) ?? []
  // What is indented belongs to the folder above.
  const named = layout.split(/^(?=\w)/m).flatMap(part => {
    const [top, ...inner] = part.match(/[\w-]+(?=\/)/g) ?? []
    return inner.map(name => `${top}/${name}`)
  })
  const folders = globSync('{bin,lib,shared,test}/*/', { cwd: root }).map(folder => folder.replace(/\/$/, ''))
  expect(folders.map(folder => folder.replaceAll('\\', '/')).filter(folder => !named.includes(folder))).toEqual([])
})
