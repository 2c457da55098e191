import { captureLog } from '../support/captured-log.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { call, type Json, newShop, twin } from '../support/harness.ts'
import { readQr } from '../support/qr-reader.ts'
import { tableCalls } from '../support/table-calls.ts'

const clock = useFakeClock(Date.now())
const table = tableCalls()
const log = captureLog()
const shop = await newShop('Kellerei Etikett')

const facts = {
  ingredients: [{ key: 'grapes' }, { key: 'sulphites' }],
  nutrition: {
    kj: 294,
    kcal: 71,
    carbohydrate: '1.0',
    sugars: '0.3',
    negligible: ['fat', 'saturates', 'protein', 'salt'],
  },
  packaging: [{ part: 'bottle', material: 'GL 71' }],
  operator: { role: 'bottled_by', name: 'Weingut Etikett', address: 'Hauptstraße 1, 54470 Bernkastel' },
}

const basics = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1008, vintage: 2024, gross: '9.50' }
const analysis = { alcohol: '12.0', sweetness: '3.0', acid: '6.0' }

const published = async (): Promise<{ id: number; hash: string }> => {
  const data = { ...basics, ...analysis, public: 1, facts: { ...facts, published: 1 } }
  const { status, json } = await shop.call('wines/add', { data })
  expect([status, json.error]).toEqual([200, undefined])
  return json.data
}
const edit = async (id: number, data: Json): Promise<void> => {
  expect((await shop.call('wines/edit', { id, data })).status).toBe(200)
}
const withdraw = (id: number) => edit(id, { facts: { published: 0 } })

const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  call(`/e/${path}`, undefined, { method, headers })
const languageOf = async (path: string, headers = {}) => {
  const { text, headers: sent } = await get(path, headers)
  const [, language] = /<html lang="(\w\w)">/.exec(text) ?? []
  expect(sent.get('content-language')).toBe(language)
  return language
}

const reads = async (work: () => Promise<unknown>): Promise<number> => {
  table.calls.length = 0
  await work()
  return table.calls.length
}

const wine = await published()

test('the page of a published label is HTML that everyone may read, and that names nobody to anyone', async () => {
  const { status, text, headers } = await get(wine.hash)
  expect([status, text]).toEqual([200, expect.stringContaining('<h1 lang="de" dir="auto">Riesling</h1>')])
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'de',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+';/),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=60',
    etag: expect.stringMatching(/^W\//),
    vary: 'accept-language, accept-encoding',
  })
  expect(headers.get('set-cookie')).toBeNull()
})

test('its language is `lang`, else that of Accept-Language, else German', async () => {
  expect(await languageOf(wine.hash)).toBe('de')
  expect(await languageOf(wine.hash, { 'accept-language': 'ja, en;q=0.7' })).toBe('en')
  expect(await languageOf(`${wine.hash}?lang=pl`, { 'accept-language': 'en' })).toBe('pl')
  for (const lang of ['xx', '', 'DE', 'de-AT', '__proto__', '%F0%9F%8D%B7'])
    expect(await languageOf(`${wine.hash}?lang=${lang}`, { 'accept-language': 'el' })).toBe('el')
})

test('its ETag is that of its language, and answers 304', async () => {
  const [german, english] = await Promise.all(['de', 'en'].map(lang => get(`${wine.hash}?lang=${lang}`)))
  const etag = german?.headers.get('etag') ?? ''
  expect(english?.headers.get('etag')).not.toBe(etag)
  const again = await get(wine.hash, { 'if-none-match': etag })
  expect([again.status, again.text, again.headers.get('vary')]).toEqual([304, '', 'accept-language'])
  expect((await get(`${wine.hash}?lang=en`, { 'if-none-match': etag })).status).toBe(200)
  const head = await get(wine.hash, {}, 'HEAD')
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
})

test.each([
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
])('the QR code as %s leads to the page', async (ending, type) => {
  const response = await fetch(`${twin.url}/e/${wine.hash}/qr.${ending}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  const read = await readQr(Buffer.from(await response.arrayBuffer()))
  expect(read?.text).toBe(`${twin.url}/e/${wine.hash}`)
  const etag = response.headers.get('etag') ?? ''
  expect((await get(`${wine.hash}/qr.${ending}`, { 'if-none-match': etag })).status).toBe(304)
})

test('the QR codes in lists lead to the label while it is published, else to the public record', async () => {
  const { id, hash } = await published()
  const url = async () => {
    const { json } = await shop.call('wines/getAll', { query: { id }, qrcodes: 1 })
    expect(json.data.map((one: Json) => [one.id, 'label' in one])).toEqual([[id, false]])
    return json.data[0].qrcodes[0].url
  }
  expect(await url()).toBe(`${twin.url}/e/${hash}`)
  await withdraw(id)
  expect(await url()).toBe(`${twin.url}/wines/getPublic?hash=${hash}`)
})

test('the page stays when the wine is neither active nor public, nor in stock', async () => {
  const other = await published()
  await edit(other.id, { active: 0, public: 0, shop: 0, nostock: 1 })
  expect((await get(other.hash)).status).toBe(200)
})

test.each([
  ...['', 'f', 'f'.repeat(31), 'f'.repeat(33), 'F'.repeat(32), 'g'.repeat(32), `${'f'.repeat(32)}%00`],
  ...['/qr', '/qr.gif', '/qr.svg/', '/qr.png/qr.png', '/', '//qr.svg', '/QR.SVG'].map(file => `${wine.hash}${file}`),
])('%s is no label', async path => {
  const { status, json } = await get(path === '' ? '%20' : path)
  expect([status, json.error]).toEqual([404, 'label_not_found'])
})

test('a label that was never published is missing: browsers get a page in their language, others the word', async () => {
  const hash = 'f'.repeat(32)
  const { status, text, headers } = await get(hash, { ...browser, 'accept-language': 'en' })
  expect([status, headers.get('content-type'), headers.get('content-language')]).toEqual([
    404,
    'text/html; charset=utf-8',
    'en',
  ])
  expect(text).toContain('<html lang="en">')
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
  for (const accept of ['*/*', 'application/json', 'image/png'])
    expect((await get(hash, { accept })).json).toMatchObject({ code: 404, error: 'label_not_found' })
})

test('a withdrawn label answers 410, as do its codes, at once where nobody read it before', async () => {
  const { id, hash } = await published()
  await withdraw(id)
  for (const path of [hash, `${hash}/qr.svg`, `${hash}/qr.png`]) {
    const { status, json, headers } = await get(path)
    expect([status, json.error, headers.get('cache-control')]).toEqual([410, 'label_withdrawn', 'no-store'])
    const shown = await get(path, { ...browser, 'accept-language': 'de' })
    expect([shown.status, shown.text]).toEqual([410, expect.stringContaining('<html lang="de">')])
    expect(shown.text).not.toContain('Riesling')
  }
})

test('a refusal is logged by its word, also where it is a page', async () => {
  const { id, hash } = await published()
  await withdraw(id)
  for (const path of ['f'.repeat(32), hash]) for (const accept of [browser.accept, '*/*']) await get(path, { accept })
  const words = log.lines().flatMap(({ route, error }) => (route === '/e/{path+}' ? [error] : []))
  expect(words).toEqual(['label_not_found', 'label_not_found', 'label_withdrawn', 'label_withdrawn'])
})

describe('an instance of the function', () => {
  test('reads a label once a minute, whatever the number of requests and languages', async () => {
    clock.now += 60_001
    const visit = (n: number) => fetch(`${twin.url}/e/${wine.hash}?lang=${['de', 'en', 'fr'][n % 3]}`)
    const all = async () => {
      for (let n = 0; n < 1000; n += 50)
        await Promise.all(Array.from({ length: 50 }, async (_, m) => (await visit(n + m)).text()))
    }
    expect(await reads(all)).toBe(1)
    expect(await reads(async () => get(`${wine.hash}/qr.svg`))).toBe(0)
    clock.now += 60_001
    expect(await reads(async () => get(wine.hash))).toBe(1)
  })

  test('reads nothing for what is no hash', async () => {
    expect(await reads(async () => get('favicon.ico'))).toBe(0)
  })

  test('shows a withdrawal after a minute, and a label that is new at once', async () => {
    const hash = (await published()).hash
    const { id } = wine
    expect((await get(hash)).status).toBe(200)
    await get(wine.hash)
    await withdraw(id)
    expect((await get(wine.hash)).status).toBe(200)
    clock.now += 60_001
    expect((await get(wine.hash)).status).toBe(410)
    await edit(id, { facts: { published: 1 } })
    clock.now += 60_001
    expect((await get(wine.hash)).status).toBe(200)
  })
})

test('requests of a page, of codes and of missing labels leave no address and no header of their caller in the log or the table', async () => {
  const caller = {
    ...browser,
    'x-forwarded-for': '203.0.113.9',
    'cloudfront-viewer-address': '203.0.113.9:4711',
    'user-agent': 'Telefon von Ada',
    referer: 'https://suche.example/?q=wein',
    cookie: 'besucher=ada',
    'accept-language': 'mt',
  }
  table.calls.length = 0
  for (const path of [wine.hash, `${wine.hash}/qr.svg`, `${wine.hash}/qr.png`, 'a'.repeat(32), 'favicon.ico'])
    await get(path, caller)
  expect(log.lines().filter(line => line.route === '/e/{path+}')).toHaveLength(5)
  const written = log.texts.join() + table.calls.map(({ text }) => text).join()
  for (const trace of ['127.0.0.1', '203.0.113.9', '::1', 'Ada', 'suche', 'besucher', '"mt"'])
    expect(written).not.toContain(trace)
  expect(table.calls.filter(({ name }) => !/^(Get|BatchGet)/.test(name))).toEqual([])
})
