import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { jobs } from '../../shared/contract/jobs.ts'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'

type Import = { target: string; typeOnly: boolean; later?: true }

const root = join(import.meta.dirname, '../..')
const statement = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(statement)].map(([, type, from = '', dynamic]) => {
    const target = dynamic ?? from
    const local = target.startsWith('.')
    const path = local ? posix.join(posix.dirname(file), target) : target
    return { target: path, typeOnly: Boolean(type), ...(dynamic && { later: true }) }
  })

const files = globSync('{bin,functions,lib,shared}/**/*.ts', { cwd: root }).map(file => file.replaceAll('\\', '/'))
const imports = new Map(files.map(file => [file, importsOf(file)] as const))
const below = (...folders: string[]) => files.filter(file => folders.some(folder => file.startsWith(folder)))

/** The imports, as `file → target`, of some files that some rule forbids. */
const offending = (from: readonly string[], isBad: (one: Import) => boolean): string[] =>
  from.flatMap(file => (imports.get(file) ?? []).filter(isBad).map(({ target }) => `${file} → ${target}`))

/** All imports of a file, directly or not, packages included; by default without types. */
const loaded = (file: string, withTypes = false, seen = new Set<string>()): Set<string> => {
  for (const { target, typeOnly } of imports.get(file) ?? []) {
    if ((typeOnly && !withTypes) || seen.has(target)) continue
    seen.add(target)
    loaded(target, withTypes, seen)
  }
  return seen
}

const inside =
  (...folders: string[]) =>
  (target: string) =>
    folders.some(folder => target.startsWith(folder))

test('the test finds static, type-only, re-exported and dynamic imports', () => {
  expect(imports.get('functions/unknown.ts')).toEqual([
    { target: 'shared/contract/routes/unknown.ts', typeOnly: false },
    { target: 'shared/http/serve.ts', typeOnly: false },
  ])
  const sample =
    "import type { A } from 'a'\nexport * from 'b'\nimport 'c'\nimport d, {\n  type E,\n} from 'd'\nawait import('e')\n"
  expect([...sample.matchAll(statement)].map(([, type, from, dynamic]) => [Boolean(type), from ?? dynamic])).toEqual([
    [true, 'a'],
    [false, 'b'],
    [false, 'c'],
    [false, 'd'],
    [false, 'e'],
  ])
  for (const [file, found] of imports) {
    const statements = readFileSync(join(root, file), 'utf8').match(/^import\b/gm) ?? []
    expect([file, found.length >= statements.length]).toEqual([file, true])
  }
})

describe('dependencies point one way', () => {
  test('functions import shared/ only', () => {
    expect(offending(below('functions/'), ({ target, typeOnly }) => !typeOnly && !inside('shared/')(target))).toEqual(
      [],
    )
  })

  test('functions import neither lib/, bin/ or test/ nor one another, not even a type', () => {
    const isBad = ({ target }: Import) => inside('lib/', 'bin/', 'test/', 'functions/')(target)
    expect(offending(below('functions/'), isBad)).toEqual([])
  })

  test('shared/ imports nothing outside of itself', () => {
    const isBad = ({ target }: Import) => inside('lib/', 'bin/', 'test/', 'functions/', '.')(target)
    expect(offending(below('shared/'), isBad)).toEqual([])
  })

  test('the contract imports values and valibot only', () => {
    const isBad = ({ target }: Import) => !inside('shared/contract/', 'shared/values/', 'valibot')(target)
    expect(offending(below('shared/contract/'), isBad)).toEqual([])
  })

  test('no file imports bin/ or test/, and no file imports a function', () => {
    const isBad = ({ target }: Import) => inside('bin/', 'test/', 'functions/')(target)
    expect(offending(below('lib/'), isBad)).toEqual([])
    expect(offending(below('bin/'), ({ target }) => inside('test/', 'functions/')(target))).toEqual([])
  })
})

describe('shared/ has fourteen folders', () => {
  // From the ground up. A room imports from itself and the rows above its own, types included; rooms in one row do not
  // know each other.
  const layers: readonly (readonly string[])[] = [
    ['values'],
    ['contract'],
    ['platform', 'search'],
    ['merchants', 'payments'],
    ['catalogue', 'clients'],
    ['events', 'media'],
    ['orders'],
    ['documents'],
    ['http', 'reference'],
  ]

  const roomOf = (file: string): string => file.split('/')[1] ?? ''
  const layerOf = (file: string): number => layers.findIndex(rooms => rooms.includes(roomOf(file)))

  test('every file is in one of them, and none is empty', () => {
    expect([...new Set(below('shared/').map(roomOf))].toSorted()).toEqual(layers.flat().toSorted())
  })

  test('imports, types included, point one way', () => {
    const upward = below('shared/').flatMap(file =>
      offending([file], ({ target }) => {
        const isElsewhere = target.startsWith('shared/') && roomOf(target) !== roomOf(file)
        return isElsewhere && layerOf(target) >= layerOf(file)
      }),
    )
    expect(upward).toEqual([])
  })
})

describe('each external dependency has one entry point', () => {
  // The twin replaces AWS: it calls DynamoDB itself to create the table.
  const callers = files.filter(file => !file.startsWith('lib/twin/'))

  test.each([
    ['DynamoDB', /^@aws-sdk\/.*dynamodb/, 'shared/platform/table/'],
    ['S3', /^@aws-sdk\/(client-s3|s3-)/, 'shared/platform/files/'],
    ['Lambda', /^@aws-sdk\/client-lambda/, 'shared/platform/jobs/'],
    ['EventBridge', /^@aws-sdk\/client-eventbridge/, 'shared/events/'],
    ['the request chain', /^@middy\//, 'shared/http/'],
    ['the picture library', /^sharp$/, 'shared/media/pictures/raster.ts'],
    ['Parameter Store', /^@aws-sdk\/client-ssm/, 'shared/payments/paypal/'],
  ])('%s is reached through one folder', (_, library, folder) => {
    const others = callers.filter(file => !file.startsWith(folder))
    expect(offending(others, ({ target }) => library.test(target))).toEqual([])
    expect(offending(below(folder), ({ target }) => library.test(target))).not.toEqual([])
  })

  test('shared/ and functions/ import nothing else of the AWS SDK', () => {
    const known =
      /^@aws-sdk\/(client-dynamodb|client-eventbridge|lib-dynamodb|client-lambda|client-s3|client-ssm|s3-request-presigner)$/
    const isBad = ({ target }: Import) => target.startsWith('@aws-sdk/') && !known.test(target)
    expect(offending(below('functions/', 'shared/'), isBad)).toEqual([])
  })

  test('only the function that describes all routes loads the list of all routes', () => {
    const functions = below('functions/').filter(file => loaded(file).has('shared/contract/routes/index.ts'))
    expect(functions).toEqual(['functions/openapi.json.ts'])
    const importers = below('functions/', 'shared/').filter(file => !file.startsWith('shared/reference/'))
    expect(offending(importers, ({ target }) => target === 'shared/contract/routes/index.ts')).toEqual([])
  })
})

describe('pure rules', () => {
  const rules = [
    ...['shared/values/money.ts', 'shared/values/text.ts', 'shared/values/time.ts'],
    ...['states', 'placing/totals', 'placing/rebates', 'shipping/choice'].map(name => `shared/orders/${name}.ts`),
    ...below('shared/search/'),
  ]
  const network = /^node:(http|https|http2|net|tls|dgram|dns|fs|child_process|worker_threads)(\/|$)/

  test.each(rules)('%s loads neither HTTP nor the table, files or the network', file => {
    expect(files).toContain(file)
    const bad = [...loaded(file)].filter(
      target =>
        inside('shared/http/', 'shared/platform/table/', 'shared/platform/files/', '@')(target) || network.test(target),
    )
    expect(bad).toEqual([])
  })

  test.each(rules)('%s does not name HTTP or the table in a type', file => {
    expect(
      offending([file], ({ target }) => inside('shared/http/', 'shared/platform/table/', '@', 'aws-lambda')(target)),
    ).toEqual([])
  })
})

describe('a route loads only the files that it needs', () => {
  /** The files of shared/ and functions/ that a function loads at its start. */
  const atStart = (file: string, seen = new Set([file])): Set<string> => {
    for (const { target, typeOnly, later } of imports.get(file) ?? []) {
      if (typeOnly || later || seen.has(target) || !imports.has(target)) continue
      seen.add(target)
      atStart(target, seen)
    }
    return seen
  }

  // The engine of the search and the setting of a page are libraries of our own.
  const isLibrary = inside('shared/search/', 'shared/documents/expertise/', 'shared/media/letters/')

  const maxFilesOf = (name: string): number => (name === 'service/orders/add' ? 92 : 67)

  test.each(routes.map(fileOf))('%s loads few files', name => {
    // It describes all routes, so it loads the contracts of all.
    const isOfAll = inside(...(name === 'openapi.json' ? ['shared/contract/'] : []))
    // The terms of electronic labels are one table in 24 files.
    const isTable = inside('shared/contract/labels/elabel/')
    const files = [...atStart(`functions/${name}.ts`)].filter(
      file => !isLibrary(file) && !isOfAll(file) && !isTable(file),
    )
    expect(files.length).toBeLessThanOrEqual(maxFilesOf(name))
  })
})

test('no file imports itself in a circle, types included', () => {
  expect(files.filter(file => loaded(file, true).has(file))).toEqual([])
})

describe('functions and routes', () => {
  const functionFiles = below('functions/').map(file => file.replace(/^functions\/|\.ts$/g, ''))
  const isJob = (name: string) => name.startsWith('jobs/')

  test('each route has the file at the path of its URL, and each file belongs to one route', () => {
    const named = [...routes, fallback].map(fileOf).toSorted()
    expect(functionFiles.filter(name => !isJob(name)).toSorted()).toEqual(named)
    expect(new Set(named).size).toBe(named.length)
  })

  test('each job has its file, and each other file belongs to a job', () => {
    expect(functionFiles.filter(isJob).toSorted()).toEqual(jobs.map(({ file }) => file as string).toSorted())
  })

  const doorOf = ({ level, client }: Route): string => {
    if (level !== 'service') return 'serve'
    return client === 'refused' ? 'serveMerchant' : 'serveClient'
  }

  test.each(routes.map(route => [route.path, fileOf(route)]))('%s is served by its own file', async (path, name) => {
    const source = readFileSync(join(root, 'functions', `${name}.ts`), 'utf8')
    const [, door, served = ''] = /^export const handler = (serve\w*)\((\w+),/m.exec(source) ?? []
    const contract = imports
      .get(`functions/${name}.ts`)
      ?.find(({ target }) => target.startsWith('shared/contract/routes/'))
    const route = (await import(join(root, contract?.target ?? '')))[served]
    expect(route).toMatchObject({ path })
    expect(door).toBe(doorOf(route))
  })

  test('the file of a path parameter is written in brackets', () => {
    expect(fileOf({ path: '/PDF/{id}/{file}' })).toBe('PDF/[id]/[file]')
    expect(fileOf({ path: '/localization/{path+}' })).toBe('localization/[path+]')
  })
})
