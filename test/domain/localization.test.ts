import { localizationIn } from '../../shared/catalogue/localization/tables.ts'
import { type Answer, call } from '../support/harness.ts'

const read = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  call(`/localization/${path}`, undefined, { method, headers })

const etagOf = async (path: string): Promise<string> => (await read(path)).headers.get('etag') ?? ''

test.each(['de', 'en'] as const)('a shop reads the labels in %s, as a bare object', async language => {
  const { status, headers, json } = await read(language)
  expect([status, json]).toEqual([200, localizationIn(language)])
  expect(json).not.toHaveProperty('info')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=86400',
    etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
    'access-control-allow-origin': '*',
    'x-request-id': expect.any(String),
    'x-content-type-options': 'nosniff',
  })
})

test('a table is read by its name', async () => {
  for (const [table, labels] of Object.entries(localizationIn('de'))) {
    const { status, json } = await read(`de/${table}`)
    expect([table, status, json]).toEqual([table, 200, labels])
  }
})

test('each localization and each table has a stable ETag of its own', async () => {
  const paths = ['de', 'en', 'de/tastes', 'en/tastes']
  const etags = await Promise.all(paths.map(etagOf))
  expect(new Set(etags).size).toBe(4)
  expect(await Promise.all(paths.map(etagOf))).toEqual(etags)
})

test.each(['de', 'en/grapetypes'])('%s answers 304 to a matching ETag', async path => {
  const etag = await etagOf(path)
  for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const { status, text, headers } = await read(path, { 'if-none-match': known })
    expect([known, status, text]).toEqual([known, 304, ''])
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([etag, 'public, max-age=86400'])
    expect([headers.get('access-control-allow-origin'), headers.get('content-type')]).toEqual(['*', null])
  }
  for (const other of ['"x"', etag.slice(1, -1), '']) {
    expect((await read(path, { 'if-none-match': other })).status).toBe(200)
  }
})

test('HEAD answers the same without the body', async () => {
  const { status, text, headers } = await read('de', {}, 'HEAD')
  expect([status, text, headers.get('etag')]).toEqual([200, '', await etagOf('de')])
})

test.each([
  ...['fr', 'DE', 'de-DE', 'deu', '__proto__', 'de/', '%00', 'constructor'],
  ...['fr/tastes', 'de/caps', 'de/Tastes', 'de/constructor', 'de/__proto__', 'de/tastes/1', 'de//tastes'],
])('%s is no localization', async path => {
  const { status, json, headers } = await read(path)
  expect([status, json.error, headers.get('cache-control')]).toEqual([404, 'localization_not_found', 'no-store'])
  expect(headers.get('access-control-allow-origin')).toBe('*')
})
