import { harmlessTexts } from '../support/bad-values.ts'
import { type Answer, newClient, newShop } from '../support/harness.ts'

const home = { address: 'Weinbergstraße 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Müller' }
const whole = {
  type: 'invoice',
  name: 'Büro',
  first_name: 'Jürgen',
  last_name: 'Weiß',
  company: 'Kanzlei am Fleet',
  gender: 'fam',
  title: 'Dr.',
  address: 'Große Bleichen 7',
  address_supplement: 'Hinterhaus',
  zip: '20354',
  city: 'Hamburg',
  countrycode: 'de',
  phone: '040 66969123',
  mail: 'weiss@example.org',
}
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const shop = await newShop()
const client = await newClient(shop)

const added = async (fields: object = {}) => {
  const { status, json } = await shop.call('addresses/add', { data: { ...home, ...fields } })
  expect(status).toBe(200)
  return json.data
}
const edited = async (id: number, data: object) => {
  const { status, json } = await shop.call('addresses/edit', { id, data })
  expect(status).toBe(200)
  return json.data
}
const read = async (id: number) => (await shop.call('addresses/get', { id })).json.data
const idsOf = ({ json }: Answer): number[] => json.data.map(({ id }: { id: number }) => id)

describe('addresses/add', () => {
  test('returns the address with defaults, and addresses/get returns the same', async () => {
    const address = await added()
    expect(address).toEqual({
      id: expect.any(Number),
      type: 'shipping',
      client_id: null,
      name: null,
      first_name: null,
      company: null,
      gender: null,
      title: null,
      address_supplement: null,
      phone: null,
      mail: null,
      ...home,
      customers_id: shop.id,
      cruser_id: 1,
      crstamp: timestamp,
      chstamp: timestamp,
      version: 1,
    })
    expect(await read(address.id)).toEqual(address)
  })

  test('stores every field as given, and accepts the client as a numeric string', async () => {
    expect(await added({ ...whole, client_id: String(client.id) })).toMatchObject({ ...whole, client_id: client.id })
  })

  test.each(harmlessTexts)('stores the text %s unchanged', async company => {
    const { id } = await added({ company })
    expect(await read(id)).toMatchObject({ company })
  })

  test('accepts concurrent addresses of one client', async () => {
    const { id } = await newClient(shop)
    const all = await Promise.all(Array.from({ length: 12 }, () => added({ client_id: id })))
    expect(new Set(all.map(address => address.id)).size).toBe(12)
    expect((await shop.call('addresses/getByClient', { client_id: id })).json.totalCount).toBe(12)
  })
})

describe('addresses/edit', () => {
  test('changes only the given fields, raises the version and returns the record', async () => {
    const before = await added(whole)
    const after = await edited(before.id, { city: 'Altona' })
    expect(after).toEqual({ ...before, city: 'Altona', version: 2, chstamp: timestamp })
    expect(await read(before.id)).toEqual(after)
  })

  test('unsets optional fields for null and empty texts', async () => {
    const { id } = await added(whole)
    expect(await edited(id, { company: null, phone: '', gender: null })).toMatchObject({
      company: null,
      phone: null,
      gender: null,
      last_name: 'Weiß',
    })
  })

  test('unsets the last name while another name remains', async () => {
    const { id } = await added(whole)
    expect(await edited(id, { last_name: null, name: '' })).toMatchObject({
      company: 'Kanzlei am Fleet',
      last_name: null,
    })
  })

  test('replaces one name by another', async () => {
    const { id } = await added()
    expect(await edited(id, { last_name: null, company: 'Müller GmbH' })).toMatchObject({ company: 'Müller GmbH' })
  })

  test('succeeds once with the current version', async () => {
    const { id } = await added()
    const edits = ['Radebeul', 'Meißen'].map(city => shop.call('addresses/edit', { id, data: { city, version: '1' } }))
    const answers = await Promise.all(edits)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.json.error).toBe('version_conflict')
    expect(await read(id)).toMatchObject({ version: 2 })
  })

  test('with the same client keeps the address in the lists', async () => {
    const { id: client_id } = await newClient(shop)
    const { id } = await added({ client_id })
    await edited(id, { client_id, city: 'Pirna' })
    expect(idsOf(await shop.call('addresses/getByClient', { client_id }))).toEqual([id])
  })
})

test('delete returns the record; afterwards every route returns address_not_found', async () => {
  const address = await added(whole)
  const { id } = address
  expect((await shop.call('addresses/delete', { id: String(id) })).json.data).toEqual(address)
  const after = [
    await shop.call('addresses/delete', { id }),
    await shop.call('addresses/get', { id }),
    await shop.call('addresses/edit', { id, data: { city: 'Pirna' } }),
    await shop.call('addresses/edit', { id, data: { client_id: client.id } }),
  ]
  for (const { status, json } of after) expect([status, json.error]).toEqual([404, 'address_not_found'])
})

describe('lists', () => {
  test('are ordered by id, and returned as one page', async () => {
    const own = await newShop()
    for (const city of ['Zwickau', 'Aue', 'Meißen']) await own.call('addresses/add', { data: { ...home, city } })
    const { json } = await own.call('addresses/getAll')
    expect(json.data.map(({ city }: { city: string }) => city)).toEqual(['Zwickau', 'Aue', 'Meißen'])
    expect(json).toMatchObject({ info: 'success', totalCount: 3, pages: { current: 1, total: 1, size: 3 } })
    const ids = json.data.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
  })

  test('an empty list is one empty page', async () => {
    const { json } = await (await newShop()).call('addresses/getAll')
    expect(json).toMatchObject({ data: [], totalCount: 0, pages: { current: 1, total: 1 } })
  })

  test('are filtered by client and type, alone and together', async () => {
    const own = await newShop()
    const { id: client_id } = await newClient(own)
    const { id: other } = await newClient(own)
    const add = async (fields: object) =>
      (await own.call('addresses/add', { data: { ...home, ...fields } })).json.data.id
    const invoice = await add({ client_id, type: 'invoice' })
    const shipping = await add({ client_id })
    const place = await add({ type: 'geolocation' })
    const foreign = await add({ client_id: other, type: 'invoice' })
    const list = async (filter: object) => idsOf(await own.call('addresses/getAll', filter))
    expect(await list({ client_id: null, type: null })).toEqual([invoice, shipping, place, foreign])
    expect(await list({ client_id: String(client_id) })).toEqual([invoice, shipping])
    expect(await list({ type: 'invoice' })).toEqual([invoice, foreign])
    expect(await list({ client_id, type: 'invoice' })).toEqual([invoice])
    expect(await list({ client_id: other, type: 'geolocation' })).toEqual([])
    expect(idsOf(await own.call('addresses/getByClient', { client_id }))).toEqual([invoice, shipping])
  })

  test('move an address to the list of its new client, and to none without a client', async () => {
    const [from, to] = [await newClient(shop), await newClient(shop)]
    const { id } = await added({ client_id: from.id })
    const lists = async () =>
      Promise.all([from, to].map(async one => idsOf(await shop.call('addresses/getByClient', { client_id: one.id }))))
    expect(await lists()).toEqual([[id], []])
    expect(await edited(id, { client_id: to.id })).toMatchObject({ client_id: to.id, version: 2 })
    expect(await lists()).toEqual([[], [id]])
    expect(await edited(id, { client_id: null })).toMatchObject({ client_id: null, version: 3 })
    expect(await lists()).toEqual([[], []])
    expect(idsOf(await shop.call('addresses/getAll'))).toContain(id)
  })

  test('have pages if the request has a page or a page size', async () => {
    const own = await newShop()
    const { id: client_id } = await newClient(own)
    const ids: number[] = []
    for (let n = 0; n < 5; n++) {
      ids.push((await own.call('addresses/add', { data: { ...home, client_id } })).json.data.id)
    }
    const page = async (paging: object) => own.call('addresses/getByClient', { client_id, ...paging })
    const second = await page({ page: '2', pageSize: 2 })
    expect(second.json).toMatchObject({ totalCount: 5, pages: { current: 2, total: 3, size: 2 } })
    expect(idsOf(second)).toEqual(ids.slice(2, 4))
    expect(idsOf(await page({ page: 3, pageSize: '2' }))).toEqual(ids.slice(4))
    const past = await page({ page: 9, pageSize: 2 })
    expect(past.status).toBe(200)
    expect(past.json).toMatchObject({ data: [], totalCount: 5, pages: { current: 9, total: 3, size: 2 } })
    expect((await page({ page: 1 })).json.pages).toEqual({ current: 1, total: 1, size: 16 })
    expect((await page({ pageSize: 500 })).json.pages).toEqual({ current: 1, total: 1, size: 100 })
  })
})

test('further parameters, which existing clients send, are ignored', async () => {
  const beside = { filter: [], inshop: true, language: 'de', lazy: 0, constructor: 1 }
  const { id } = await added({ client_id: client.id })
  for (const [route, body] of [
    ['add', { data: home }],
    ['edit', { id, data: { city: 'Pirna' } }],
    ['get', { id }],
    ['getAll', {}],
    ['getByClient', { client_id: client.id }],
    ['delete', { id }],
  ] as const) {
    const { status } = await shop.call(`addresses/${route}`, { ...body, ...beside })
    expect([route, status]).toEqual([route, 200])
  }
})
