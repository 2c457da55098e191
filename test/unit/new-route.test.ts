import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { list, routeAt } from '../../shared/reference/examples.ts'

// A new route is four edits: its object, its handler, its request in the list, a test of its rules. All else
// follows from the object or is generated.

const root = join(import.meta.dirname, '../..')
const made = /^lib\/client\/(routes|traits)\.ts$|\/reference\/examples\.json$|\/(dist|node_modules)\//
const files = globSync('{bin,functions,lib,shared,test}/**/*.{ts,js,mjs,json}', { cwd: root })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => !made.test(file))
const sources = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))

type Named = Pick<Route, 'path'>

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** True if a source names a route: by its path, a Service route also without `/service/`. */
const names = (source: string, { path }: Named): boolean => {
  const [beginning = ''] = path.split('{')
  const end = beginning === path ? '(?![\\w/])' : ''
  const [, rest] = path.match(/^\/service\/(.+)/) ?? []
  const pattern = rest ? `(/service/|(?<![\\w/]))${quoted(rest)}` : `(?<!\\w)${quoted(beginning)}`
  return new RegExp(pattern + end).test(source)
}

const having = (place: RegExp, has: (source: string) => boolean): string[] =>
  [...sources].filter(([file, source]) => place.test(file) && has(source)).map(([file]) => file)

/** The missing parts of a route, each with its file. */
const lacking = (route: Named): string[] => {
  const objects = having(/^shared\/contract\//, source => source.includes(`path: '${route.path}'`))
  const handler = `functions/${fileOf(route)}.ts`
  const isListed = list.requests.some(({ path }) => (routeAt(path).path as string) === route.path)
  const tests = having(/^test\/(domain|service)\/.*\.test\.ts$/, source => names(source, route))
  return [
    objects.length === 1 ? '' : `one route object in shared/contract, not ${objects.length}`,
    sources.has(handler) ? '' : `a handler: ${handler}`,
    isListed ? '' : 'a request in shared/reference/examples.json',
    tests.length > 0 ? '' : 'a test of its rules in test/domain or test/service',
  ].filter(Boolean)
}

test.each(routes)('$path has its object, its handler, its request and its test', route => {
  expect(lacking(route)).toEqual([])
})

test('the missing parts of a new route are reported with their files', () => {
  expect(lacking({ path: '/service/cellars/{id}' })).toEqual([
    'one route object in shared/contract, not 0',
    'a handler: functions/service/cellars/[id].ts',
    'a request in shared/reference/examples.json',
    'a test of its rules in test/domain or test/service',
  ])
})

test('a route is recognized by its name in quotes, in a URL and below /service/, and not within a longer name', () => {
  const get: Named = { path: '/service/wines/get' }
  const isNamed = (text: string) => names(text, get)
  expect(["'wines/get'", "'/service/wines/get'", 'http://shop/service/wines/get?x'].every(isNamed)).toBe(true)
  expect(["'/wines/get'", "'wines/getAll'", "'wines/get/x'"].some(isNamed)).toBe(false)
  expect(names("'/Images/wine/1/a.webp'", { path: '/Images/{kind}/{id}/{file}' })).toBe(true)
})

describe('no other file lists routes', () => {
  const numberIn = (source: string): number => routes.filter(route => names(source, route)).length
  const listing = (place: RegExp, most: number): string[] =>
    [...sources]
      .filter(([file, source]) => place.test(file) && numberIn(source) > most)
      .map(([file, source]) => `${file} names ${numberIn(source)} of ${routes.length} routes`)

  test('in the service a file names at most ten, those it is about', () => {
    // The advice on error words is prose; its routes are checked against the contract.
    const place =
      /^(bin|functions|lib(?!\/shop\/|\/smoke\/by-hand\/clean-up)|shared(?!\/contract\/|.*\/reference\/advice\.ts))/
    expect(listing(place, 10)).toEqual([])
  })

  test('in the tests no file names two of three', () => {
    expect(listing(/^test\//, (routes.length * 2) / 3)).toEqual([])
  })
})
