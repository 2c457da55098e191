import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCookieKey } from '../../lib/shop/cookie-key.ts'
import { routeOf } from '../../lib/shop/pages/router.js'
import { createShop } from '../../lib/shop/server.ts'
import { fakeService, type Reply, refusal, type Sent, success } from '../support/fake-service.ts'
import { fewerInFastLane } from '../support/sampling.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions
type Json = any

const origin = 'http://localhost:3000'
const cookieKey = new Uint8Array(32).fill(7)

/** A shop on a fake service; `ask` sends the request of a browser. */
const shopOn = (answer: (request: Sent) => Reply | undefined, key = cookieKey) => {
  const service = fakeService(answer)
  const shop = createShop({ client: service.client, origins: [origin], cookieKey: key })
  const ask = async (path: string, body?: object, cookie = '', language = 'de') => {
    const headers = {
      'accept-language': language,
      ...(cookie && { cookie }),
      ...(body && { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }),
    }
    const reply = await shop(
      new Request(origin + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }),
      '127.0.0.1',
    )
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    return { status: reply.status, headers: reply.headers, text, json: (isJson ? JSON.parse(text) : undefined) as Json }
  }
  return { ...service, ask }
}

/** The Cookie header that follows from a response. */
const cookieOf = (headers: Headers, name: string): string =>
  headers
    .getSetCookie()
    .find(one => one.startsWith(`shop_${name}=`))
    ?.split(';')[0] ?? ''

const wine = (more: object = {}) => ({
  ...{
    id: 5,
    name: 'Riesling',
    path_segment: 'riesling',
    image: null,
    vintage: 2024,
    type: 'white',
    countrycode: 'de',
  },
  ...{
    region: 1005,
    place: 'Ürzig',
    taste_id: 1,
    alcohol: '11.5',
    bottlesize: '0.750',
    bio: 0,
    vegan: 0,
    topseller: 0,
  },
  ...{ nostock: 0, grapetypeIds: [129], gross: '9.90', taxrate: 19, prices: [], winery: null, shop: 1, public: 1 },
  ...{ active: 1, language: 'de', translations: [] },
  ...more,
})

const basketUuid = '6ba5d8c1-5a4f-4e52-a9f1-2f6b7a1c9e01'
const orderUuid = '6ba5d8c1-5a4f-4e52-a9f1-2f6b7a1c9e02'
const rows = [
  { factgroup: 'nutritionalInformation', key: 'energy', name: 'Brennwert', quantity: '294', unit: 'kJ' },
  { factgroup: 'ingredients', key: 'sulphites', name: 'Sulfite', quantity: null, unit: null },
  { factgroup: 'recycling', key: 'bottle', name: 'Flasche: Glas', quantity: null, unit: null },
]
const operator = { role: 'bottler', name: 'Gut Hang', address: 'Hang 1' }
const label = { status: 'published', url: 'https://service.example/e/1' }
const line = { id: 1, item_type: 'wine', item_id: 5, quantity: 2 }
const basketOf = (item: object) =>
  success({ data: { uuid: basketUuid, order_uuid: null, basketItems: [{ ...line, item }] } })

/** A service with a given wine 5, and a basket with two bottles of it. */
const selling = (item: object) => (request: Sent) => {
  if (request.path === '/service/wines/get') return success({ wine: item })
  if (request.path === '/service/facts/getAll')
    return success({ data: rows, facts: { operator, ingredients: 'internal' }, label })
  if (request.path.startsWith('/service/baskets/')) return basketOf(item)
  if (request.path === '/service/packaging/getAll') return success({ data: [] })
  if (request.path === '/service/packaging/find') return success({ data: { gross: '5.90', taxrate: 19, name: 'DHL' } })
  return undefined
}

describe('a wine that has no public page', () => {
  const { ask, to } = shopOn(selling(wine({ public: 0 })))

  test('has none in the shop, and cannot be put into a basket', async () => {
    const page = await ask('/shop/api/wine?id=5')
    expect([page.status, page.json.error]).toEqual([404, 'wine_not_found'])
    const facts = await ask('/shop/api/facts?id=5')
    expect([facts.status, facts.json]).toEqual([404, expect.objectContaining({ error: 'wine_not_found' })])
    const added = await ask('/shop/api/basket/add', { id: 5, quantity: 2 })
    expect([added.status, added.json.error]).toEqual([422, 'item_not_found'])
    expect(to('/service/baskets/addItem')).toEqual([])
  })

  test('that is in a basket already is shown as unavailable, costs nothing and cannot be ordered', async () => {
    const { headers } = await shopOn(selling(wine())).ask('/shop/api/basket/add', { id: 5, quantity: 2 })
    const cookie = cookieOf(headers, 'basket')
    const shown = await ask('/shop/api/basket', undefined, cookie)
    expect(shown.json).toMatchObject({ goods: '0.00', items: [{ item_id: 5, isGone: true }] })
    for (const step of ['checkout/price', 'checkout']) {
      const { status, json } = await ask(`/shop/api/${step}`, { billing: {}, payment_type: 'invoice' }, cookie)
      expect([step, status, json.error, json.fields[0].item_id]).toEqual([step, 422, 'item_unavailable', 5])
    }
    expect(to('/service/orders/add')).toEqual([])
  })
})

test('a wine with a public page is shown and sold', async () => {
  const { ask, to } = shopOn(selling(wine()))
  expect((await ask('/shop/api/wine?id=5')).json.wine).toMatchObject({ id: 5, gross: '9.90' })
  expect((await ask('/shop/api/basket/add', { id: 5, quantity: 2 })).json).toMatchObject({ goods: '19.80', bottles: 2 })
  expect(to('/service/baskets/addItem').map(({ body }) => body.data)).toEqual([
    { item_type: 'wine', item_id: 5, quantity: 2 },
  ])
})

test('a wine’s ingredients, nutrition, operator and electronic label are read by one request, in the visitor’s language', async () => {
  const { ask, to } = shopOn(selling(wine()))
  const { json } = await ask('/shop/api/facts?id=5', undefined, '', 'en')
  expect(json).toEqual({ rows: rows.slice(0, 2), operator, label: label.url })
  expect(to('/service/facts/getAll').map(({ body }) => body)).toEqual([{ wine_id: '5', language: 'en' }])
})

describe('cookies', () => {
  const service = selling(wine())

  test('are valid only if the shop set them', async () => {
    const { ask, sent } = shopOn(service)
    const { headers } = await ask('/shop/api/basket/add', { id: 5 })
    const cookie = cookieOf(headers, 'basket')
    expect(cookie).toMatch(RegExp(`^shop_basket=${basketUuid}\\.[\\w-]{43}$`))
    expect((await ask('/shop/api/basket', undefined, cookie)).json.bottles).toBe(2)

    const [, signature = ''] = cookie.split('.')
    const before = sent.length
    for (const forged of [
      `shop_order=${orderUuid}`,
      `shop_order=${orderUuid}.`,
      `shop_order=${orderUuid}.${signature}`,
      // The signature of one cookie is not valid for another.
      cookie.replace('basket', 'order'),
    ]) {
      const { status, json } = await ask('/shop/api/order', undefined, forged)
      expect([forged, status, json.error]).toEqual([forged, 404, 'order_not_found'])
    }
    for (const forged of [
      ...[`shop_basket=${basketUuid}`, `${cookie.slice(0, -2)}AA`, cookie.slice(0, -1), `${cookie}A`],
      ...[`shop_basket=${'a'.repeat(10_000)}.${signature}`, `shop_basket=${'.'.repeat(10_000)}`, 'shop_basket', '; ;='],
    ])
      expect((await ask('/shop/api/basket', undefined, forged)).json.items).toEqual([])
    expect((await ask('/shop/api/account', undefined, 'shop_client=wkc_1_2')).json.error).toBe('client_token_missing')
    expect(sent).toHaveLength(before)
  })

  test('of another key are ignored', async () => {
    const { headers } = await shopOn(service, new Uint8Array(32).fill(8)).ask('/shop/api/basket/add', { id: 5 })
    const { json } = await shopOn(service).ask('/shop/api/basket', undefined, cookieOf(headers, 'basket'))
    expect(json.items).toEqual([])
  })

  test('are signed by the same key after a restart, which only the owner can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-key-'))
    const file = join(folder, 'cookies.key')
    const [one, other] = [await readCookieKey(file), await readCookieKey(file)]
    expect(one).toEqual(other)
    expect([one.length, (await stat(file)).mode & 0o077]).toEqual([32, 0])
    expect(await readCookieKey(join(folder, 'another.key'))).not.toEqual(one)
    await writeFile(file, '')
    await expect(readCookieKey(file)).rejects.toThrow('does not hold 32 bytes')
  })
})

describe('a wine with an English translation', () => {
  const original = {
    description: 'Leichter Wein.',
    nostocktext: 'Ausverkauft.',
    expertisePdf: '/PDF/5/riesling.pdf',
    translations: [{ id: 6, language: 'en', name: 'Riesling', path_segment: 'riesling-en' }],
  }
  const english = { description: 'Light wine.', nostocktext: 'Sold out.', expertisePdf: '/PDF/6/riesling-en.pdf' }
  const shopWith = (translation: object) =>
    shopOn(({ path, body }) => {
      if (path !== '/service/wines/get') return undefined
      if (Number(body.id) === 5) return success({ wine: wine(original) })
      // The shop does not sell translations.
      if (body.inshop) return refusal(404, 'wine_not_found')
      return success({ wine: wine({ id: 6, gross: '1.00', language: 'en', shop: 0, ...english, ...translation }) })
    })
  const shown = async (translation: object, language: string) => {
    const { ask } = shopWith(translation)
    const { wine } = (await ask('/shop/api/wine?id=5', undefined, '', language)).json
    const { text } = await ask('/shop/wine/5/riesling', undefined, '', language)
    const [, head] = /<meta name="description" content="([^"]*)">/.exec(text) ?? []
    return { wine, head }
  }

  test('has the texts and the sheet of the visitor’s language, and its own id and price in both', async () => {
    const { translations, ...german } = original
    for (const [language, texts] of [
      ['de', german],
      ['en', english],
    ] as const) {
      const { wine, head } = await shown({}, language)
      expect(wine).toMatchObject({ id: 5, gross: '9.90', shop: 1, language, ...texts })
      expect(head).toBe(texts.description)
    }
  })

  test.each([{ public: 0 }, { active: 0 }])('keeps its own texts while the translation is %j', async hidden => {
    const { wine, head } = await shown(hidden, 'en')
    expect(wine).toMatchObject({ language: 'de', description: original.description })
    expect(head).toBe(original.description)
  })
})

describe('the first HTML of a page', () => {
  const own = wine({
    name: 'Riesling <Kabinett> & "mehr"',
    image: '/Images/wines/5/drawn-1.png',
    description: '</script><b>Fein</b>',
    articlenumber: 'R-1',
    gtin: null,
    winery: { name: 'Weingut Müller' },
  })
  const answers = (request: Sent) => {
    if (request.path === '/service/wines/get')
      return request.body.id === '5' ? success({ wine: own }) : refusal(404, 'wine_not_found')
    if (request.path === '/service/wines/search') {
      const pages = { current: Number(request.body.page ?? 1), total: 1, size: 24 }
      return success({ data: [own], totalCount: 1, pages, clusterCounts: {} })
    }
    return undefined
  }
  const { ask } = shopOn(answers)
  const metaOf = (html: string, name: string) =>
    RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1]
  const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]

  test('of a wine has its title, description, picture and offer, with escaped texts', async () => {
    const { status, text } = await ask('/shop/wine/5/riesling')
    expect(status).toBe(200)
    expect(titleOf(text)).toBe('Riesling &lt;Kabinett&gt; &amp; &quot;mehr&quot; 2024 · Weinkontor Elbufer')
    expect(metaOf(text, 'description')).toBe('&lt;/script&gt;&lt;b&gt;Fein&lt;/b&gt;')
    expect(metaOf(text, 'og:image')).toBe(`${origin}/Images/wines/5/drawn-1.png?height=1280`)
    expect(metaOf(text, 'og:type')).toBe('product')
    expect(text).toContain(`<link rel="canonical" href="${origin}/shop/wine/5/riesling">`)
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(json)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Riesling <Kabinett> & "mehr" 2024',
      url: `${origin}/shop/wine/5/riesling`,
      image: `${origin}/Images/wines/5/drawn-1.png?height=1280`,
      description: '</script><b>Fein</b>',
      sku: 'R-1',
      brand: { '@type': 'Brand', name: 'Weingut Müller' },
      offers: {
        '@type': 'Offer',
        url: `${origin}/shop/wine/5/riesling`,
        price: '9.90',
        priceCurrency: 'EUR',
        itemCondition: 'https://schema.org/NewCondition',
        availability: 'https://schema.org/InStock',
      },
    })
  })

  test('is 404 for an unknown page, wine or page of a list, also in its title', async () => {
    for (const [path, status] of [
      ['/shop/nothing', 404],
      ['/shop/wine/6', 404],
      ['/shop/wines?page=2', 404],
      ['/shop/wines?page=1', 200],
      ['/shop/wines?page=x', 200],
      ['/shop/wines', 200],
    ] as const) {
      const reply = await ask(path)
      expect([path, reply.status]).toEqual([path, status])
      expect([path, titleOf(reply.text)?.startsWith('Diese Seite gibt es nicht')]).toEqual([path, status === 404])
    }
    const hidden = shopOn(selling(wine({ public: 0 })))
    expect((await hidden.ask('/shop/wine/5')).status).toBe(404)
  })

  test('lets search engines list public pages only', async () => {
    for (const path of ['/', '/shop/wines', '/shop/imprint'])
      expect([path, metaOf((await ask(path)).text, 'robots')]).toEqual([path, undefined])
    for (const path of ['/shop/basket', '/shop/thanks', '/shop/nothing'])
      expect([path, metaOf((await ask(path)).text, 'robots')]).toEqual([path, 'noindex'])
  })

  test('is sent if the service fails', async () => {
    const { ask } = shopOn(() => refusal(500, 'internal_error'))
    const { status, text } = await ask('/shop/wine/5')
    expect([status, titleOf(text)]).toEqual([200, 'Weinkontor Elbufer'])
  })

  test('has its escaped address in the sitemap', async () => {
    const slugs = ['', '&<>"\'', ']]>', '%2e%2e', 'ü/..', '🍷', '?q=1#top']
    const { ask } = shopOn(listing(slugs.map((path_segment, n) => wine({ id: n + 1, path_segment }))))
    const { text } = await ask('/sitemap.xml')
    const addresses = [...text.matchAll(/<loc>([^<>&]*)<\/loc>/g)].map(([, address = '']) => new URL(address))
    expect(text.match(/<loc>/g)).toHaveLength(addresses.length)
    const wines = addresses.filter(({ pathname }) => pathname.startsWith('/shop/wine/'))
    expect(wines.map(({ pathname }) => routeOf(pathname)?.params)).toEqual(
      slugs.map((slug, n) => ({ id: String(n + 1), ...(slug && { slug }) })),
    )
    expect(wines.map(({ search, hash }) => search + hash).join('')).toBe('')
  })

  test('is in the sitemap, to which robots.txt refers', async () => {
    const { text, headers } = await ask('/sitemap.xml')
    expect(headers.get('content-type')).toMatch(/^application\/xml/)
    const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)
    expect(addresses).toContain(`${origin}/`)
    expect(addresses).toContain(`${origin}/shop/wine/5/riesling`)
    for (const address of addresses) expect((await ask(address?.slice(origin.length) ?? '')).status).toBe(200)
    const robots = (await ask('/robots.txt')).text.split('\n')
    expect(robots).toContain(`Sitemap: ${origin}/sitemap.xml`)
    expect(robots).toContain('Disallow: /shop/basket')
    for (const line of robots.filter(one => one.startsWith('Disallow: ')))
      for (const address of addresses) expect(address?.startsWith(origin + line.slice(10))).toBe(false)
  })
})

/** A service with a list of wines, which searches as the service does: for one phrase, with its accents. */
const listing =
  (wines: readonly Json[]) =>
  ({ path, body }: Sent): Reply | undefined => {
    if (path === '/service/clients/login') return success({ data: { token: 'wkc_1_2' } })
    if (path !== '/service/wines/search') return undefined
    const { query, page = 1, pageSize, start = (page - 1) * pageSize, filter = {} } = body
    const found = wines.filter(
      one =>
        (!query || one.name.toLowerCase().includes(query.toLowerCase())) &&
        Object.entries(filter).every(([name, values]) => (values as Json[]).includes(String(one[name]))),
    )
    const end = start + pageSize
    const next = end < found.length && { next: { start: end } }
    const pages = { current: page, total: Math.ceil(found.length / pageSize), size: pageSize, ...next }
    const data = found.slice(start, end)
    return success({ data, totalCount: found.length, pages, clusterCounts: {} })
  }

describe('a search', () => {
  const red = { type: 'red', grapetypeIds: [] }
  const { ask } = shopOn(
    listing([
      wine({ id: 1, name: 'Château Lafite', place: 'Pauillac', countrycode: 'fr', region: 2002, ...red }),
      wine({ id: 2, name: 'Ürziger Würzgarten', winery: { name: 'Dr. Loosen' } }),
      wine({ id: 3, name: 'Barolo', countrycode: 'it', region: 6013, ...red }),
    ]),
  )
  const search = async (q: string) => {
    const { status, json } = await ask(`/shop/api/wines?q=${encodeURIComponent(q)}`)
    expect([q, status]).toEqual([q, 200])
    return { ids: json.wines.map(({ id }: Json) => id), help: json.help, total: json.total }
  }

  test.each([
    ['lafite pauillac', [1]],
    ['Pauillac, Lafite', [1]],
    ['chateau', [1]],
    ['bordeaux pauillac chateau', [1]],
    ['loosen wurzgarten', [2]],
    ['ein barolo von Lafite', []],
    ['riesling lafite', []],
  ])('for %s finds wines with all words in their names, in any order, without accents', async (q, ids) => {
    expect(await search(q)).toMatchObject({ ids, total: ids.length })
  })

  test('without hits offers words with hits', async () => {
    expect((await search('laffite xqz')).help.spelling).toEqual({ q: 'Lafite', total: 1 })
    expect((await search('reisling italein')).help.spelling).toEqual({ q: 'Riesling', total: 1 })
    expect((await search('chateau xqz')).help.spelling).toEqual({ q: 'chateau', total: 1 })
    expect((await search('riesling trocken mosel xqz')).help).toEqual({
      spelling: { q: 'riesling trocken mosel', total: 1 },
      without: [{ name: 'q', total: 1 }],
    })
  })

  test('for characters of HTML, patterns or paths is a plain text search', async () => {
    const patterns = ['.*', '[a-z]+(', '\\', '%', '"', "'", '\u0000', '\u{1f377}', '../', '__proto__']
    for (const q of ['<script>alert(1)</script>', ...patterns]) expect([q, (await search(q)).ids]).toEqual([q, []])
  })
})

describe('the other wines of a page', () => {
  const { ask } = shopOn(listing(Array.from({ length: 30 }, (_, n) => wine({ id: n + 1 }))))
  const few = async (query: string) => (await ask(`/shop/api/few?${query}`)).json.wines.map(({ id }: Json) => id)

  test('are 4 by default, at most 12', async () => {
    const counts = { '': 4, 3: 3, 2.9: 2, 999: 12, '1e9': 12, 0: 4, '-1': 4, x: 4 }
    for (const [size, count] of Object.entries(counts))
      expect([size, (await few(`size=${size}`)).length]).toEqual([size, count])
  })

  test('are none that it already shows', async () => {
    expect(await few('size=3&without=1&without=3')).toEqual([2, 4, 5])
  })
})

describe('for a merchant with many wines', () => {
  const many = Array.from({ length: 20_050 }, (_, n) =>
    wine({ id: n + 1, name: `Wein ${n}`, winery_id: n % 900, winery: { name: `Weingut ${n % 900}` } }),
  )

  test('the shop reads the first 20,000 once a minute, for all suggestions and lists, also those of signed-in clients', async () => {
    const { ask, to } = shopOn(listing(many))
    const reads = () => to('/service/wines/search').filter(({ body }) => body.pageSize === 100).length
    expect((await ask('/shop/api/suggest?q=wein%2019')).json.wines).toHaveLength(5)
    expect(reads()).toBe(200)
    const { headers } = await ask('/shop/api/account/sign-in', { mail: 'ada@example.org', password: 'secret' })
    const cookie = cookieOf(headers, 'client')
    expect(cookie).toMatch(/^shop_client=/)
    for (let n = 0; n < fewerInFastLane(10, 100); n++) {
      const { json } = await ask(`/shop/api/suggest?q=ri${n % 2 ? '' : 'esling'}`, undefined, n % 2 ? cookie : '')
      expect(json.facets[0]).toMatchObject({ facet: 'grapetypeIds', total: 20_000 })
    }
    for (const query of ['priceBand=0-10', 'priceBand=0-10&type=red', 'winery_id=5&priceBand=10-15', 'q=riesling'])
      expect([query, (await ask(`/shop/api/wines?${query}`)).status]).toEqual([query, 200])
    expect(reads()).toBe(200)
  })
})

test('a shop that shows its mails in the browser opens only at addresses of its own machine', () => {
  const { client } = fakeService()
  const open = (one: string) => createShop({ client, origins: [origin, one], cookieKey })
  for (const own of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://localhost']) expect(open(own)).toBeDefined()
  for (const other of ['https://shop.example', 'http://192.168.1.5:3000', 'http://localhost.example'])
    expect(() => open(other)).toThrow(RegExp(`not at ${other}$`))
})
