import { type Answer, newClient, newShop } from '../support/harness.ts'

const home = { address: 'Weinbergstraße 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Müller' }

// The rules of each field are tested in unit/address-schema; here: refusals in answers, which store nothing.
const shop = await newShop()
const stranger = await newShop()
const client = await newClient(shop)
const foreignClient = await newClient(stranger)
const address = (await shop.call('addresses/add', { data: { ...home, client_id: client.id } })).json.data
const { id } = address

const add = (data: unknown) => shop.call('addresses/add', { data })
const edit = (data: unknown) => shop.call('addresses/edit', { id, data })
const rulesOf = ({ json }: Answer): string[] =>
  (json.fields ?? []).map(({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`)
const refusal = (answer: Answer) => [answer.status, answer.json.error, ...rulesOf(answer)]

afterAll(async () => {
  // Nothing of a refused request may be stored.
  const { json } = await shop.call('addresses/getAll')
  expect(json.data).toEqual([address])
})

describe('a new address', () => {
  test('a refusal lists all bad fields, the missing name among them', async () => {
    const answer = await add({ type: 'home', zip: '', city: 7, countrycode: 'xx', gender: 'x', client_id: 'abc' })
    expect(rulesOf(answer).sort()).toEqual([
      'data named',
      'data.address required',
      'data.city type',
      'data.client_id id',
      'data.countrycode country_code',
      'data.gender one_of',
      'data.type one_of',
      'data.zip required',
    ])
  })

  test('a refusal lists at most 20 bad fields, and its sentence counts them', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field${n}`, n]))
    const { status, json } = await add({ ...home, ...many })
    expect([status, json.error, json.fields.length]).toEqual([400, 'field_not_writable', 20])
    expect(json.details).toContain('19 more')
  })

  test.each([undefined, null, 1, 'text', [], [home]])('the data %j is refused', async data => {
    const answer = await add(data)
    expect(answer.status).toBe(400)
    expect(rulesOf(answer)).toEqual(expect.arrayContaining([expect.stringMatching(/^data/)]))
  })
})

describe.each([
  ['a new address', (fields: object) => add({ ...home, ...fields })],
  ['an edit', (fields: object) => edit(fields)],
])('%s', (_, send) => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('cannot set %s', async field => {
    const data = JSON.parse(`{"${field}":{"customers_id":1}}`)
    expect(await send({ ...data, city: 'Pirna' })).toMatchObject({ status: 400, json: { error: 'field_not_writable' } })
  })

  test.each([
    ['missing', 2 ** 52],
    ["another merchant's", foreignClient.id],
  ])('refuses a %s client', async (_kind, client_id) => {
    expect(refusal(await send({ client_id }))).toEqual([422, 'reference_not_found', 'data.client_id reference'])
  })
})

describe('an edit', () => {
  test.each([{}, { version: 1 }])('of nothing (%j) is refused', async data => {
    expect(refusal(await edit(data))).toEqual([400, 'nothing_to_change'])
  })

  test.each([
    { last_name: null },
    { last_name: '' },
    { last_name: null, name: null, company: null },
    { last_name: null, client_id: client.id },
  ])('that takes the last name away (%j) is refused', async data => {
    expect(refusal(await edit(data))).toEqual([400, 'validation_failed', 'data named'])
  })

  test.each([{}, { client_id: client.id }])('with an old or a future version is refused (with %j)', async more => {
    for (const version of [2, '7', 2 ** 53 - 1]) {
      expect(refusal(await edit({ city: 'Pirna', version, ...more }))).toEqual([409, 'version_conflict'])
    }
  })
})

describe('naming an address or a client', () => {
  const routes = [
    ['get', 'id', {}],
    ['delete', 'id', {}],
    ['edit', 'id', { data: { city: 'Pirna' } }],
    ['getByClient', 'client_id', {}],
  ] as const

  test.each([...routes, ['getAll', 'client_id', {}] as const])('addresses/%s refuses an invalid %s', async (...one) => {
    const [route, field, more] = one
    const answer = await shop.call(`addresses/${route}`, { ...more, [field]: 'x' })
    expect(refusal(answer)).toEqual([400, 'validation_failed', `${field} id`])
  })

  test.each(routes)('addresses/%s requires its %s', async (route, field, more) => {
    const answer = await shop.call(`addresses/${route}`, more)
    expect(refusal(answer)).toEqual([400, 'validation_failed', `${field} required`])
  })

  test.each(['get', 'delete', 'edit'])('addresses/%s returns 404 for an unknown id', async route => {
    for (const unknown of [1, '1', 2 ** 53 - 1]) {
      const answer = await shop.call(`addresses/${route}`, { id: unknown, data: { city: 'Pirna' } })
      expect(refusal(answer)).toEqual([404, 'address_not_found'])
    }
  })

  test.each([
    ['type', 'home', 'one_of'],
    ['page', 0, 'page'],
    ['pageSize', 0, 'page'],
  ])('a list refuses an invalid %s', async (field, value, rule) => {
    const answer = await shop.call('addresses/getAll', { [field]: value })
    expect(refusal(answer)).toEqual([400, 'validation_failed', `${field} ${rule}`])
  })
})
