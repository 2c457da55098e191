import { connect } from 'node:net'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { grapeIdsOf } from '../../shared/contract/labels/labels.ts'
import { visit as visitPaymentPage } from '../support/checkout.ts'
import { asMerchant } from '../support/demo-shop.ts'
import { call, type Json, twin } from '../support/harness.ts'

type Reply = { status: number; headers: Headers; text: string; json: Json }

const succeeded = ({ status, json }: Reply): Json => {
  expect([status, json?.error]).toEqual([200, undefined])
  return json
}

/** A browser as the shop's server sees it: it keeps cookies and sends the origin of a request. */
class Visitor {
  readonly cookies = new Map<string, string>()
  /** All responses, with their headers. */
  static readonly seen: string[] = []

  async ask(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(twin.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(body && { 'content-type': 'application/json', origin: twin.url, 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = '', age] = /^(\w+)=([^;]*);.*Max-Age=(\d+)/.exec(set) ?? []
      if (age === '0') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    Visitor.seen.push(JSON.stringify([...response.headers]), text)
    const isJson = text && response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

  get(name: string): Promise<Reply> {
    return this.ask('GET', `/shop/api/${name}`)
  }

  post(name: string, body: object = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return this.ask('POST', `/shop/api/${name}`, body, headers)
  }

  /** Reads or changes something, which must succeed. */
  async read(name: string): Promise<Json> {
    return succeeded(await this.get(name))
  }

  async write(name: string, body: object = {}): Promise<Json> {
    return succeeded(await this.post(name, body))
  }

  tryToOrder(order: object, key: string = crypto.randomUUID()): Promise<Reply> {
    return this.post('checkout', order, { 'idempotency-key': key })
  }

  async ordered(order: object, key?: string): Promise<Json> {
    return succeeded(await this.tryToOrder(order, key))
  }
}

/** The status of the response to a raw request. */
const statusOf = async (request: string): Promise<number> => {
  const socket = connect(Number(new URL(twin.url).port), '127.0.0.1')
  socket.write(request)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])
}

const { authid, token } = credentialsOf('elbufer')
const visitor = new Visitor()
const billing = {
  first_name: 'Ada',
  last_name: 'Beispiel',
  address: 'Am Hang 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'de',
}
const guest = (mail: string) => ({ ...billing, mail })

/** A visitor with some bottles of a wine in the basket. */
const withBottles = async (quantity = 3, from = new Visitor()): Promise<Visitor> => {
  const { wines } = await from.read('wines?type=red&sort=cheap')
  await from.write('basket/add', { id: wines[1].id, quantity })
  return from
}

describe('the catalogue', () => {
  test('starts with eight top sellers, and counts the wines of each type', async () => {
    const { topSellers, total, types } = await visitor.read('start')
    expect(topSellers).toHaveLength(8)
    for (const wine of topSellers) {
      expect(wine).toMatchObject({ topseller: 1, nostock: 0, gross: expect.any(String), bottlesize: '0.750' })
      expect((await visitor.ask('GET', `${wine.image}?height=300`)).status).toBe(200)
    }
    const counts = Object.values(types as Record<string, number>)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total)
  })

  test('searches wines, and filters them by facets with correct counts', async () => {
    const all = await visitor.read('wines?q=riesling')
    expect(all.wines).toHaveLength(Math.min(all.total, 24))
    const [country, count] = Object.entries(all.counts.countrycode as Record<string, number>)[0] ?? []
    const narrowed = await visitor.read(`wines?q=riesling&countrycode=${country}`)
    expect(narrowed.total).toBe(count)
    // Of the country itself the others are still offered.
    expect(narrowed.counts.countrycode).toEqual(all.counts.countrycode)
    const two = await visitor.read('wines?type=red&type=rose&sort=cheap')
    expect(two.total).toBe(two.counts.type.red + two.counts.type.rose)
    const prices = two.wines.map(({ gross }: Json) => Number(gross))
    expect(prices).toEqual(prices.toSorted((one: number, other: number) => one - other))
  })

  test('filters wines by price bands with correct counts, and counts the facets within them', async () => {
    const all = await visitor.read('wines?type=red&type=rose')
    const bands = all.priceBands as { band: string; from: number; to: number | null; count: number }[]
    expect(bands.map(({ from }) => from)).toEqual([0, ...bands.slice(0, -1).map(({ to }) => to)])
    expect(bands.at(-1)?.to).toBe(null)
    expect(bands.reduce((sum, { count }) => sum + count, 0)).toBe(all.total)
    for (const { band, from, to, count } of bands) {
      const narrowed = await visitor.read(`wines?type=red&type=rose&sort=dear&priceBand=${band}`)
      expect([band, narrowed.total, narrowed.wines.length]).toEqual([band, count, Math.min(count, 24)])
      expect(narrowed.pages).toEqual({ current: 1, total: Math.ceil(count / 24) })
      for (const { gross, type } of narrowed.wines) {
        expect(['red', 'rose']).toContain(type)
        expect(Number(gross) >= from && Number(gross) < (to ?? Number.POSITIVE_INFINITY)).toBe(true)
      }
      expect(narrowed.priceBands).toEqual(bands)
      expect((narrowed.counts.type.red ?? 0) + (narrowed.counts.type.rose ?? 0)).toBe(count)
      const [country, wines] = Object.entries(narrowed.counts.countrycode as Record<string, number>)[0] ?? []
      const there = await visitor.read(`wines?type=red&type=rose&countrycode=${country}&priceBand=${band}`)
      expect([band, country, there.total]).toEqual([band, country, wines])
    }
    const two = await visitor.read('wines?type=red&type=rose&priceBand=10-15&priceBand=25-50&page=2')
    expect(two.total).toBe((bands[1]?.count ?? 0) + (bands[3]?.count ?? 0))
    expect((await visitor.read('wines?priceBand=1-2')).total).toBe(0)
    expect((await visitor.get('wines?priceBand=10-15&page=x')).json.fields[0].path).toBe('page')
  })

  test('returns a few other wines of a list, never the wine itself', async () => {
    const { wines, total } = await visitor.read('wines?countrycode=de&type=white')
    const [first, ...others] = wines.map(({ id }: Json) => id)
    expect(total).toBeGreaterThan(4)
    const few = async (more: string) =>
      (await visitor.read(`few?countrycode=de&type=white${more}`)).wines.map(({ id }: Json) => id)
    expect(await few('')).toEqual([first, ...others.slice(0, 3)])
    expect(await few(`&without=${first}&size=3`)).toEqual(others.slice(0, 3))
    expect((await few('&size=100')).length).toBe(12)
    const { wines: cheap } = await visitor.read('few?countrycode=de&priceBand=0-10&priceBand=10-15')
    expect(cheap.length).toBeGreaterThan(0)
    expect(cheap.every(({ gross }: Json) => Number(gross) < 15)).toBe(true)

    const { data: wine } = (await visitor.ask('GET', `/wines/getPublic?id=${first}`)).json
    const ofWinery = await visitor.read(`wines?winery_id=${wine.winery_id}`)
    expect(ofWinery.wines.map(({ winery }: Json) => winery.name)).toEqual(
      Array.from({ length: ofWinery.total }, () => wine.winery.name),
    )
  })

  test('turns words that name facet values into filters, with as many hits as the facet counts', async () => {
    const { counts } = await visitor.read('wines?countrycode=fr')
    const grapes = grapeIdsOf('Blauburgunder').reduce((sum, id) => sum + (counts.grapetypeIds[id] ?? 0), 0)
    expect(grapes).toBeGreaterThan(0)
    const all = (await visitor.read('wines')).counts
    for (const [q, count] of [
      ['italien', all.countrycode.it],
      ['frankreich', all.countrycode.fr],
      ['sekt', all.type.sparkling],
      ['rotwein', all.type.red],
      ['trocken', all.taste_id[1]],
      ['champagner', counts.region[2004]],
      ['bordeaux', counts.region[2002]],
      ['blauburgunder frankreich', grapes],
    ] as const) {
      const { total, understood, help } = await visitor.read(`wines?q=${encodeURIComponent(q)}`)
      expect([q, total, understood.rest, help]).toEqual([q, count, '', null])
    }
    const narrowed = await visitor.read('wines?q=rotwein+italien+barolo')
    expect(narrowed.understood).toEqual({ filter: { type: ['red'], countrycode: ['it'] }, rest: 'barolo' })
    const chosen = await visitor.read('wines?type=red&countrycode=it&q=barolo')
    expect([narrowed.total, narrowed.wines]).toEqual([chosen.total, chosen.wines])
    expect(chosen.total).toBeGreaterThan(0)
  })

  test('searches for words literally if their meaning has no hits', async () => {
    // A wine whose name no other test shows; it is found by all it was found by before.
    const [{ id, name }] = (await visitor.read('wines?q=bricco')).wines
    // No sparkling wine of Chile is a Bricco, but a wine is called so.
    await asMerchant('wines/edit', { id, data: { name: `${name} Bricco Sekt Chile` } })
    try {
      const { total, understood } = await visitor.read('wines?q=bricco+sekt+chile')
      expect([total, understood]).toEqual([1, { filter: {}, rest: 'bricco sekt chile' }])
    } finally {
      await asMerchant('wines/edit', { id, data: { name } })
    }
  })

  test('offers the nearest spelling and the filters to remove if there are no hits', async () => {
    const { total } = await visitor.read('wines?q=riesling')
    const misspelled = await visitor.read('wines?q=reisling&type=red')
    expect(misspelled.help.spelling).toEqual({ q: 'Riesling', total })
    const none = await visitor.read('wines?q=riesling&type=red&countrycode=de&vintage=1999&bio=1')
    expect(none.total).toBe(0)
    expect(none.help.spelling).toBe(null)
    expect(none.help.without.length).toBeLessThanOrEqual(3)
    const two = await visitor.read('wines?q=barolo&type=white&countrycode=it&priceBand=0-10')
    expect(two.help.without.map(({ name }: Json) => name)).toContain('q')
    for (const { name, total } of two.help.without) {
      const query = new URLSearchParams('q=barolo&type=white&countrycode=it&priceBand=0-10')
      query.delete(name)
      expect([name, (await visitor.read(`wines?${query}`)).total]).toEqual([name, total])
    }
    expect((await visitor.read('wines?q=xyzzyx')).help).toEqual({ spelling: null, without: [] })
  })

  test('suggests wines, wineries and facets that begin with the typed text', async () => {
    const { facets } = await visitor.read('suggest?q=ital')
    const { total } = await visitor.read('wines?countrycode=it')
    expect(facets[0]).toEqual({ facet: 'countrycode', name: 'Italien', filter: { countrycode: ['it'] }, total })
    const { wines } = await visitor.read('wines?q=barolo')
    const typed = await visitor.read('suggest?q=baro')
    expect(typed.wines.length).toBeGreaterThan(0)
    expect(typed.wines.length).toBeLessThanOrEqual(5)
    for (const { name } of typed.wines) expect(name).toMatch(/\bbaro/i)
    const { name } = wines.find(({ winery }: Json) => winery).winery
    const winery = (await visitor.read(`suggest?q=${encodeURIComponent(name)}`)).facets.at(-1)
    expect(winery).toMatchObject({ facet: 'winery_id', name, filter: { winery_id: [expect.any(String)] } })
    const made = await visitor.read(`wines?winery_id=${winery.filter.winery_id}`)
    expect(made.total).toBe(winery.total)
    expect(await visitor.read('suggest?q=b')).toEqual({ facets: [], wines: [] })
  })

  test('shows no visitor other clients’ prices or the merchant’s own fields', async () => {
    const { wines } = await visitor.read('wines')
    for (const reply of [wines[0], (await visitor.read(`wine?id=${wines[0].id}`)).wine])
      for (const field of ['prices', 'network', 'internal', 'cruser_id', 'version', 'net'])
        expect([field, field in reply]).toEqual([field, false])
  })

  test('has only wines with a public page', async () => {
    const { wines } = await visitor.read('wines?sort=young')
    for (const { id } of wines.slice(0, 4))
      expect((await call(`/wines/getPublic?id=${id}`, {}, { method: 'GET' })).json.data).toMatchObject({ id, shop: 1 })
  })

  test('has the default order if an unknown one is requested', async () => {
    const usual = await visitor.read('wines')
    for (const sort of ['__proto__', 'constructor', 'toString', 'none'])
      expect((await visitor.read(`wines?sort=${sort}`)).wines).toEqual(usual.wines)
  })

  test('returns refusals of the service with the bad field', async () => {
    const { status, json } = await visitor.get('wines?page=none')
    expect([status, json.error, json.fields[0].path]).toEqual([400, 'validation_failed', 'page'])
    expect((await visitor.get('wine?id=1')).json.error).toBe('wine_not_found')
    expect((await visitor.get('nothing')).json.error).toBe('route_not_found')
  })
})

describe('the basket', () => {
  test('is stored in a cookie that no script can read, and shows goods and shipping costs', async () => {
    const own = new Visitor()
    const { wines } = await own.read('wines?type=red&sort=cheap')
    const [{ id, gross }] = wines
    const reply = await own.post('basket/add', { id, quantity: 2 })
    expect(reply.json).toMatchObject({ bottles: 2, items: [{ quantity: 2, gross, isGone: false }], isWaiting: false })
    expect(reply.json.goods).toBe((2 * gross).toFixed(2))
    // As many bottles as the package holds cost the same.
    expect(reply.json).toMatchObject({ shipping: { gross: '5.90', taxrate: 19, maxBottles: 3 }, toSend: 2 })
    const [cookie] = reply.headers.getSetCookie()
    expect(cookie).toMatch(/^shop_basket=[\w-]{36}\.[\w-]{43}; Path=\/shop\/api; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    expect((await own.read('session')).bottles).toBe(2)
  })

  test('is the one of the shop’s own cookie, whatever cookies other servers on this machine set', async () => {
    const own = await withBottles(2)
    const cookie = `shop_basket=${own.cookies.get('shop_basket')}; shop_basket=${(await withBottles(5)).cookies.get('shop_basket')}`
    expect((await own.ask('GET', '/shop/api/basket', undefined, { cookie })).json.bottles).toBe(2)
  })

  test('is changed item by item, only by its own visitor', async () => {
    const own = await withBottles(1)
    const [item] = (await own.read('basket')).items
    expect((await own.write('basket/change', { id: item.id, quantity: 4 })).items[0].quantity).toBe(4)
    const stranger = await withBottles(1)
    for (const verb of ['change', 'remove'])
      expect((await stranger.post(`basket/${verb}`, { id: item.id, quantity: 9 })).status).toBe(404)
    expect((await own.post('basket/change', { id: item.id, quantity: 'many' })).json.fields[0].path).toBe(
      'data.quantity',
    )
    expect((await own.write('basket/remove', { id: item.id })).items).toEqual([])
  })

  test('refuses goods that are not for sale, and more than the stock', async () => {
    const own = new Visitor()
    const { wines } = await own.read('wines')
    expect((await own.post('basket/add', { id: wines[0].id, quantity: 9999 })).json.error).toBe('insufficient_stock')
    expect((await own.post('basket/add', { id: 987654321 })).json.error).toBe('item_not_found')
  })

  test('is empty after the order, and the next wine creates another basket', async () => {
    const own = await withBottles()
    const before = own.cookies.get('shop_basket') ?? ''
    await own.ordered({ billing: guest('ada.korb@shop.example'), payment_type: 'invoice' })
    own.cookies.set('shop_basket', before)
    expect((await own.read('basket')).items).toEqual([])
    expect(own.cookies.has('shop_basket')).toBe(false)
    expect((await withBottles(1, own)).cookies.get('shop_basket')).not.toBe(before)
  })
})

describe('the checkout', () => {
  test('previews the order, and places it at just that price, once for two clicks', async () => {
    const own = await withBottles()
    const order = { billing: guest('ada.laden@shop.example'), payment_type: 'prepaid' }
    const { order: priced } = await own.write('checkout/price', order)
    const { goods, shipping } = await own.read('basket')
    expect(priced.gross).toBe((Number(goods) + Number(shipping.gross)).toFixed(2))
    const key = crypto.randomUUID()
    const [one, two] = await Promise.all([1, 2].map(() => own.ordered({ ...order, gross: priced.gross }, key)))
    expect(one.order.uuid).toBe(two.order.uuid)
    expect(one.order).toMatchObject({ status: 'need_payment', gross: priced.gross, billing: { last_name: 'Beispiel' } })
    expect((await own.read('order')).order.number).toBe(one.order.number)
    expect((await own.read('basket')).items).toEqual([])
    const { mails } = await own.read('mailbox')
    expect(mails.map(({ about, to }: Json) => [about, to])).toEqual([
      [`order ${one.order.uuid}`, 'ada.laden@shop.example'],
    ])
    expect(mails[0].text).toContain('DE89370400440532013000')
  })

  test('refuses an order at another price than the one shown, and names bad fields', async () => {
    const own = await withBottles()
    const order = { billing: guest('ada.laden@shop.example'), payment_type: 'invoice' }
    expect((await own.tryToOrder({ ...order, gross: '1.00' })).json.error).toBe('price_mismatch')
    const { status, json } = await own.tryToOrder({ ...order, billing: { ...billing, zip: '', mail: 'none' } })
    expect([status, json.error]).toEqual([400, 'validation_failed'])
    expect(json.fields.map(({ path }: Json) => path).toSorted()).toEqual(['data.billing.mail', 'data.billing.zip'])
    expect((await own.read('basket')).items).toHaveLength(1)
  })

  test('ignores prices, clients and return addresses from the browser', async () => {
    const own = await withBottles()
    const evil = { client_id: 1, billing_id: 1, billing_type: 'client', return_url: 'https://evil.example/', items: [] }
    const order = { ...evil, billing: guest('ada.boese@shop.example'), payment_type: 'paypal' }
    const { targetUrl, order: placed } = await own.ordered(order)
    expect(placed.billing.mail).toBe('ada.boese@shop.example')
    expect(String(await visitPaymentPage(targetUrl))).toMatch(RegExp(`^${twin.url}/shop/payment\\?`))
  })

  test('allows collection, without shipping costs', async () => {
    const own = await withBottles()
    const order = { billing: guest('ada.holt@shop.example'), payment_type: 'cash', isCollected: true }
    const { order: placed } = await own.ordered(order)
    expect(placed).toMatchObject({ delivery_type: 'none', package: null, delivery: null })
  })

  test('shows the last order to no other visitor', async () => {
    expect((await new Visitor().get('order')).json.error).toBe('order_not_found')
  })
})

describe('a payment at the provider', () => {
  const paying = async (mail: string) => {
    const own = await withBottles()
    const order = { billing: guest(mail), payment_type: 'paypal' }
    const { order: placed, targetUrl } = await own.ordered(order)
    expect(placed.status).toBe('new')
    return { own, order, placed, targetUrl: targetUrl as string }
  }

  test('is approved: the return page shows the order, only to the visitor who placed it', async () => {
    const { own, placed, targetUrl } = await paying('ada.zahlt@shop.example')
    const pid = (await visitPaymentPage(targetUrl)).searchParams.get('pid')
    const stranger = await new Visitor().post('payment', { pid })
    expect(stranger.json).toEqual({ status: 'payed', order: null })
    const back = await own.write('payment', { pid })
    expect(back).toMatchObject({ status: 'payed', order: { uuid: placed.uuid, paid: true } })
    expect(await own.write('payment', { pid })).toEqual(back)
    expect(own.cookies.has('shop_basket')).toBe(false)
    expect((await own.read('mailbox')).mails).toHaveLength(1)
  })

  test('is declined: the order is cancelled, and the same basket can be ordered again', async () => {
    const { own, order, placed, targetUrl } = await paying('ada.pech@shop.example')
    const pid = (await visitPaymentPage(targetUrl, 'decline')).searchParams.get('pid')
    const { status, json } = await own.post('payment', { pid })
    expect([status, json.error]).toEqual([422, 'payment_declined'])
    expect((await own.read('order')).order.status).toBe('cancelled')
    const again = await own.ordered({ ...order, payment_type: 'invoice' })
    expect(again.order).toMatchObject({ status: 'need_package', gross: placed.gross })
  })

  test('is cancelled at the provider: the bottles are in the basket again', async () => {
    const { own, targetUrl } = await paying('ada.lieber-nicht@shop.example')
    expect((await visitPaymentPage(targetUrl, 'cancel')).pathname).toBe('/shop/payment/cancelled')
    expect((await own.read('basket')).isWaiting).toBe(true)
    expect(await own.write('order/cancel')).toEqual({ status: 'cancelled' })
    expect(await own.read('basket')).toMatchObject({ isWaiting: false, bottles: 3 })
  })

  test('stays pending until the provider decides; the order is confirmed by mail', async () => {
    const { own, placed, targetUrl } = await paying('ada.wartet@shop.example')
    const pid = (await visitPaymentPage(targetUrl, 'approve', 'pending')).searchParams.get('pid')
    expect(await own.write('payment', { pid })).toMatchObject({
      status: 'pending',
      order: { uuid: placed.uuid, status: 'need_payment' },
    })
    expect((await own.read('mailbox')).mails).toHaveLength(1)
  })

  test('is replaced by another order of the same basket if the visitor goes back in the browser', async () => {
    const { own, order, placed, targetUrl } = await paying('ada.zurueck-im-laden@shop.example')
    const [item] = (await own.read('basket')).items
    await own.write('basket/change', { id: item.id, quantity: 1 })
    const second = await own.ordered({ ...order, payment_type: 'invoice' })
    expect(second.order.uuid).not.toBe(placed.uuid)
    const pid = (await visitPaymentPage(targetUrl)).searchParams.get('pid')
    expect((await own.post('payment', { pid })).json.error).toBe('order_cancelled')
  })

  test('does not cancel a placed order through the cancel link or another payment', async () => {
    const { own, targetUrl } = await paying('ada.zwei-fenster@shop.example')
    const declined = (await visitPaymentPage(targetUrl, 'decline')).searchParams.get('pid')
    for (const [payment_type, status] of [
      ['invoice', 'need_package'],
      ['prepaid', 'need_payment'],
    ]) {
      await withBottles(2, own)
      const second = await own.ordered({ billing: guest('ada.zwei-fenster@shop.example'), payment_type })
      expect(second.order.status).toBe(status)
      expect((await own.post('order/cancel')).json.error).toBe('order_not_cancellable')
      expect(['payment_declined', 'order_cancelled']).toContain(
        (await own.post('payment', { pid: declined })).json.error,
      )
      expect((await own.read('order')).order.status).toBe(status)
    }
  })

  test('of another visitor, declined, does not cancel the order of a visitor who opens its link', async () => {
    const stranger = await paying('eve@shop.example')
    const declined = (await visitPaymentPage(stranger.targetUrl, 'decline')).searchParams.get('pid')
    const own = await withBottles()
    const { order } = await own.ordered({ billing: guest('ada.klickt@shop.example'), payment_type: 'invoice' })
    expect((await own.post('payment', { pid: declined })).json.error).toBe('payment_declined')
    expect((await own.read('order')).order).toMatchObject({ uuid: order.uuid, status: 'need_package' })
  })

  test('that is unknown is refused', async () => {
    expect((await visitor.post('payment', { pid: crypto.randomUUID() })).json.error).toBe('payment_not_found')
    expect((await visitor.post('payment', {})).json.fields[0].path).toBe('uuid')
  })
})

describe('a client', () => {
  const own = new Visitor()
  const mail = 'ada.konto@shop.example'
  const password = 'acht Zeichen'
  const oneTimeTokenIn = (mails: Json[]) => new URL(mails[0].link).hash.slice(1)
  const reset = async (password: string) => {
    const forgetful = new Visitor()
    await forgetful.write('account/forgot', { mail })
    const hash = oneTimeTokenIn((await forgetful.read('mailbox')).mails)
    await forgetful.write('account/reset', { hash, password })
    return { forgetful, hash }
  }

  test('registers, confirms by the mail that the demo shows, and signs in', async () => {
    await own.write('account/register', { ...billing, mail, password, price_range_id: 1, customers_id: 2 })
    expect((await own.post('account/sign-in', { mail, password })).json.error).toBe('login_failed')
    const { mails } = await own.read('mailbox')
    expect(mails[0]).toMatchObject({ to: mail, link: expect.stringContaining(`${twin.url}/shop/activate#`) })
    expect((await new Visitor().read('mailbox')).mails).toEqual([])
    await own.write('account/activate', { hash: oneTimeTokenIn(mails) })
    const { client } = await own.write('account/sign-in', { mail, password })
    expect(client).toMatchObject({ mail, city: 'Dresden' })
    expect((await own.read('session')).client).toEqual(client)
  })

  test('orders without typing the address again, and finds the order in the account', async () => {
    await withBottles(6, own)
    const { order } = await own.ordered({ payment_type: 'invoice' })
    expect(order.billing).toMatchObject({ mail, last_name: 'Beispiel' })
    const { orders } = await own.read('account/orders')
    expect(orders.map(({ uuid }: Json) => uuid)).toEqual([order.uuid])
    const shown = (await own.read(`account/order?uuid=${order.uuid}`)).order
    expect(shown.number).toBe(order.number)
    expect(shown.steps.map(({ what }: Json) => what)).toEqual(['ordered', 'invoice', 'delivery_note'])
    const { number } = shown.steps[1]
    const document = `account/document?uuid=${order.uuid}&document=invoice&number=${number}`
    const { url } = await own.read(document)
    expect((await (await fetch(url)).text()).slice(0, 5)).toBe('%PDF-')
    expect((await new Visitor().get(document)).status).toBe(401)
    expect((await new Visitor().get(`account/order?uuid=${order.uuid}`)).status).toBe(401)
  })

  test('changes its own data, but not the merchant’s', async () => {
    const changed = await own.write('account/edit', { ...billing, city: 'Leipzig', price_range_id: 2 })
    expect(changed.client).toMatchObject({ city: 'Leipzig', mail })
  })

  test('gets a new password by the mail that the demo shows', async () => {
    const { forgetful, hash } = await reset(`${password}!`)
    expect((await forgetful.post('account/reset', { hash, password })).json.error).toBe('hash_invalid')
    expect((await forgetful.post('account/sign-in', { mail, password })).json.error).toBe('login_failed')
    await own.write('account/sign-in', { mail, password: `${password}!` })
  })

  test('whose sign-in has expired does not order as a guest', async () => {
    const late = await withBottles()
    await late.write('account/sign-in', { mail, password: `${password}!` })
    await reset(`${password}!`)
    const { status, json } = await late.tryToOrder({ payment_type: 'invoice' })
    expect([status, json.error]).toEqual([401, 'client_token_invalid'])
    expect(late.cookies.has('shop_client')).toBe(false)
    expect(await late.read('session')).toMatchObject({ client: null, bottles: 3 })
  })

  test('of a price range sees its own prices and no others, and pays them', async () => {
    const { mail: known } = { mail: 'einkauf.deichgraf@example.org' }
    const buyer = new Visitor()
    await buyer.write('account/register', { ...billing, mail: known, password })
    await buyer.write('account/activate', { hash: oneTimeTokenIn((await buyer.read('mailbox')).mails) })
    const before = (await buyer.read('wines?sort=cheap')).wines
    await buyer.write('account/sign-in', { mail: known, password })
    const after = (await buyer.read('wines?sort=cheap')).wines
    expect(after.map(({ id }: Json) => id)).toEqual(before.map(({ id }: Json) => id))
    for (const [n, { gross }] of after.entries()) expect(Number(gross)).toBeLessThan(Number(before[n].gross))
    await buyer.write('basket/add', { id: after[0].id, quantity: 1 })
    expect((await buyer.read('basket')).items[0].gross).toBe(after[0].gross)
    const { order } = await buyer.write('checkout/price', { payment_type: 'invoice' })
    expect(order.item_gross).toBe(after[0].gross)
  })

  test('signs out, and is a guest again', async () => {
    await own.write('account/sign-out')
    expect((await own.read('session')).client).toBeNull()
    expect((await own.get('account/orders')).json.error).toBe('client_token_missing')
  })
})

describe('a change', () => {
  const body = { id: 1 }

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site, in an old browser', { origin: 'https://evil.example' }],
    ['another port of the same machine', { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nowhere', { origin: '' }],
    ['a link', { 'sec-fetch-site': 'none' }],
  ])('that comes from %s is refused', async (_, headers) => {
    const { status, json } = await visitor.post('basket/add', body, headers)
    expect([status, json.error]).toEqual([403, 'foreign_origin'])
  })

  test('that is no JSON, as forms of other sites send it, is refused', async () => {
    const { status, json } = await visitor.post('basket/add', body, { 'content-type': 'text/plain' })
    expect([status, json.error]).toEqual([415, 'unsupported_media_type'])
    expect((await visitor.ask('GET', '/shop/api/basket/add')).status).toBe(404)
    expect((await visitor.post('account/sign-in', { mail: 'x'.repeat(70_000) })).status).toBe(413)
  })

  test('that is nested too deeply is refused without an internal error', async () => {
    for (const levels of [10, 5_000, 30_000]) {
      const body = `{"billing":${'['.repeat(levels)}${']'.repeat(levels)},"payment_type":"invoice"}`
      const { status, json } = await visitor.ask('POST', '/shop/api/checkout/price', body)
      expect([levels, status, json.error]).toEqual([levels, 400, 'json_too_deep'])
    }
  })

  test('is accepted under the other name of this machine', async () => {
    const origin = twin.url.replace('localhost', '127.0.0.1')
    expect((await new Visitor().post('account/sign-out', {}, { origin })).status).toBe(200)
  })
})

describe('the pages', () => {
  test('have a strict policy, and load nothing from elsewhere', async () => {
    for (const path of ['/', '/shop/wines', '/shop/pages/app.js', '/shop/api/session']) {
      const { status, headers } = await visitor.ask('GET', path)
      expect([path, status, headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff'])
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'/,
      )
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
  })

  test('are 404 for unknown paths, and no other file can be read', async () => {
    expect((await visitor.ask('GET', '/shop/nothing')).status).toBe(404)
    for (const path of [
      '/shop/pages/../server.ts',
      '/shop/pages/%2e%2e/server.ts',
      '/shop/pages/..%2fserver.ts',
      '/shop/pages/texts',
      '/shop/vendor/../../package.json',
    ])
      expect([path, (await visitor.ask('GET', path)).text]).toEqual([path, expect.not.stringMatching(/import |"name"/)])
    expect((await visitor.ask('POST', '/shop/wines', {})).status).toBe(405)
  })

  test('and their API handle any method and any Host header', async () => {
    const session = await visitor.ask('HEAD', '/shop/api/session')
    expect([session.status, session.text]).toEqual([200, ''])
    for (const path of ['/shop/wines', '/shop/api/session'])
      for (const [line, status] of [
        [`TRACE ${path} HTTP/1.1\r\nhost: localhost`, 405],
        [`GET ${path} HTTP/1.1\r\nhost: x:99999`, 200],
        [`GET ${path} HTTP/1.1\r\nhost: a b`, 200],
      ])
        expect([line, await statusOf(`${line}\r\nconnection: close\r\n\r\n`)]).toEqual([line, status])
  })

  test('are not sent again until they change', async () => {
    const first = await visitor.ask('GET', '/shop/pages/styles/base.css')
    const etag = first.headers.get('etag') ?? ''
    expect((await visitor.ask('GET', '/shop/pages/styles/base.css', undefined, { 'if-none-match': etag })).status).toBe(
      304,
    )
  })

  test('let browsers cache the font for a year', async () => {
    const { text } = await visitor.ask('GET', '/')
    const [, path = ''] = /<link rel="preload" as="font" type="font\/woff2" href="([^"]+)"/.exec(text) ?? []
    const { status, headers } = await visitor.ask('GET', path, undefined, { 'accept-encoding': 'gzip' })
    expect([status, ...['content-type', 'cache-control', 'content-encoding'].map(name => headers.get(name))]).toEqual([
      200,
      'font/woff2',
      'public, max-age=31536000, immutable',
      null,
    ])
    expect(headers.get('content-security-policy')).toContain("font-src 'self'")
    const styles = await visitor.ask('GET', '/shop/pages/styles/base.css')
    expect(
      new URL(/url\("([^"]+\.woff2)"\)/.exec(styles.text)?.[1] ?? '', `${twin.url}/shop/pages/styles/`).pathname,
    ).toBe(path)
  })

  test('leave all other paths to the service', async () => {
    for (const [method, path] of [
      ['POST', '/'],
      ['GET', '/shop'],
      ['GET', '/shopping'],
      ['GET', '/index.html'],
    ] as const)
      expect((await call(path, {}, { method })).json).toMatchObject({ error: 'route_not_found', code: 404 })
  })

  test('need less than 300 KB for the start page, with pictures and data', async () => {
    const loaded = new Map<string, number>()
    const load = async (path: string): Promise<string> => {
      if (loaded.has(path)) return ''
      const { status, text, headers } = await visitor.ask('GET', path, undefined, { 'accept-encoding': 'identity' })
      expect([path, status]).toEqual([path, 200])
      loaded.set(path, Number(headers.get('content-length')))
      const below = [...text.matchAll(/(?:from |import\()'([^']+\.js)'/g)].map(([, target = '']) =>
        target.startsWith('.') ? new URL(target, twin.url + path).pathname : target,
      )
      // Views are loaded when they are visited.
      for (const one of below.filter(target => !target.includes('/views/'))) await load(one)
      return text
    }
    const html = await load('/')
    for (const [, path = ''] of html.matchAll(/(?:href|src)="(\/[^"]+)"/g)) await load(path)
    await load('/shop/pages/views/start.js')
    await load('/localization/de')
    await load('/shop/api/session')
    const { topSellers } = JSON.parse(await load('/shop/api/start'))
    for (const { image } of topSellers) await load(`${image}?height=640`)
    const total = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0)
    expect(loaded.size).toBeGreaterThan(25)
    expect(total).toBeLessThan(300_000)
  })
})

test('no response to a visitor contains the merchant’s credential or session', async () => {
  const { json } = await call('/service/login', { authid, token })
  expect(json.token).toMatch(/^wks_/)
  expect(Visitor.seen.length).toBeGreaterThan(200)
  // Not the prefix alone, which a random signature contains once in a thousand runs.
  const secrets = RegExp([token, authid, 'wk[as]_[0-9a-f]{12}_'].join('|'))
  expect(Visitor.seen.filter(text => secrets.test(text))).toEqual([])
})
