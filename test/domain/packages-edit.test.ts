import { key } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { setPackages } from '../support/checkout.ts'
import { type Answer, type Json, newClient, newShop, recordOf, type Shop } from '../support/harness.ts'

const price = { gross: '5.95', taxrate: 19 }
const unknown = 2 ** 52 + 1

const refusal = ({ status, json }: Answer) => [
  ...[status, json.error],
  ...(json.fields ?? []).map(({ path, rule }: Json) => `${path} ${rule}`),
]
const add = (shop: Shop, data: Json, idempotencyKey?: string): Promise<Answer> =>
  shop.call('packages/add', { data }, { headers: { ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) } })
const edit = (shop: Shop, id: number, data: Json): Promise<Answer> => shop.call('packages/edit', { id, data })
const remove = (shop: Shop, id: number): Promise<Answer> => shop.call('packages/delete', { id })
const all = async (shop: Shop): Promise<Json[]> => (await shop.call('packaging/getAll')).json.data
const times = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))
/** Repeats a request that the busy service refuses: it may have done it. */
const untilDone = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}

test('packages are added, changed and deleted as packaging/getAll lists them', async () => {
  const shop = await newShop('Kellerei Karton')
  const small = recordOf(await add(shop, { min_bottles: 1, max_bottles: 6, net: '5.00', taxrate: 19 }))
  expect(small).toEqual({
    ...{ id: 1, type: 'bottles', name: 'Versand bis 6 Flaschen', customers_id: shop.id },
    ...{ min_bottles: 1, max_bottles: 6, min_weight: null, max_weight: null },
    ...{ gross: '5.95', net: '5.00', tax: '0.95', taxrate: 19 },
  })
  const large = recordOf(await add(shop, { min_bottles: 7, gross: '8.33', taxrate: 19 }))
  expect(await all(shop)).toEqual([small, large])
  const changed = recordOf(await edit(shop, small.id, { max_bottles: 5, taxrate: 7 }))
  expect(changed).toMatchObject({
    ...small,
    max_bottles: 5,
    taxrate: 7,
    gross: '5.95',
    net: '5.56',
    tax: '0.39',
    name: 'Versand bis 5 Flaschen',
  })
  expect(await all(shop)).toEqual([changed, large])
  expect(recordOf(await remove(shop, large.id))).toEqual(large)
  expect(await all(shop)).toEqual([changed])
  const again = await remove(shop, large.id)
  expect(refusal(again)).toEqual([404, 'package_not_found'])
  expect(again.json.details).toBe('There is no package with this `id`.')
  // The id of a deleted package is never used again.
  expect(recordOf(await add(shop, { min_bottles: 6, ...price })).id).toBe(3)
})

test('a package is added once by its Idempotency-Key; a repeat finds none if it was deleted since', async () => {
  const shop = await newShop('Kellerei Doppelkarton')
  const answers = await times(8, () => untilDone(() => add(shop, { min_bottles: 1, ...price }, 'k')))
  expect(new Set(answers.map(answer => recordOf(answer).id))).toEqual(new Set([1]))
  expect(answers.filter(({ headers }) => !headers.get('idempotency-replayed'))).toHaveLength(1)
  expect(refusal(await add(shop, { min_bottles: 2, ...price }, 'k'))).toEqual([422, 'idempotency_key_reused'])
  await edit(shop, 1, { gross: '0.00' })
  await remove(shop, 1)
  expect(refusal(await add(shop, { min_bottles: 1, ...price }, 'k'))).toEqual([404, 'package_not_found'])
})

describe('the range of a package', () => {
  test.each([
    [{ min_bottles: 6 }, ['data.min_bottles overlap']],
    [{ max_bottles: 1 }, ['data.min_bottles overlap']],
    [{}, ['data.min_bottles overlap']],
    [{ min_bottles: 3, max_bottles: 4 }, ['data.min_bottles overlap']],
    [{ min_bottles: 9, max_bottles: 8 }, ['data.max_bottles range']],
    [{ min_bottles: 20, min_weight: 2, max_weight: 1 }, ['data.max_weight range']],
  ])('%j is refused beside 1 to 6 and 10 to 12', async (range, fields) => {
    const shop = await newShop('Kellerei Spanne')
    await add(shop, { min_bottles: 1, max_bottles: 6, ...price })
    const { id } = recordOf(await add(shop, { min_bottles: 10, max_bottles: 12, ...price }))
    const before = await all(shop)
    expect(refusal(await add(shop, { ...range, ...price }))).toEqual([400, 'validation_failed', ...fields])
    const whole = { min_bottles: null, max_bottles: null, ...range }
    expect(refusal(await edit(shop, id, whole))).toEqual([400, 'validation_failed', ...fields])
    expect(await all(shop)).toEqual(before)
  })

  test('may begin where another ended, and grow into what it left', async () => {
    const shop = await newShop('Kellerei Lücke')
    const { id } = recordOf(await add(shop, { min_bottles: 1, max_bottles: 6, ...price }))
    recordOf(await add(shop, { min_bottles: 7, ...price }))
    recordOf(await edit(shop, id, { min_bottles: 0 }))
    expect(refusal(await edit(shop, id, { max_bottles: 7 }))).toEqual([
      400,
      'validation_failed',
      'data.min_bottles overlap',
    ])
  })
})

test('amounts that contradict each other and unknown packages are refused', async () => {
  const shop = await newShop('Kellerei Widerspruch')
  const { id } = recordOf(await add(shop, { ...price }))
  const wrong = { gross: '5.95', net: '5.95', taxrate: 19 }
  expect(refusal(await add(shop, { min_bottles: 7, ...wrong }))).toEqual([
    422,
    'price_inconsistent',
    'data.gross price_inconsistent',
  ])
  expect(refusal(await edit(shop, id, wrong))).toEqual([422, 'price_inconsistent', 'data.gross price_inconsistent'])
  expect(refusal(await edit(shop, unknown, price))).toEqual([404, 'package_not_found'])
  expect(refusal(await edit(shop, id, {}))).toEqual([400, 'nothing_to_change'])
})

test('a list of packages larger than 100 KB is refused, and stays as it was', async () => {
  const shop = await newShop('Kellerei Überlänge')
  const parcel = (n: number) => ({
    ...{ id: n + 1, type: 'bottles' as const, min_bottles: 2 * n + 1, max_bottles: 2 * n + 2 },
    ...{
      min_weight: null,
      max_weight: null,
      gross: '5.95',
      net: '5.00',
      tax: '0.95',
      taxrate: 19,
      customers_id: shop.id,
    },
  })
  await setPackages(shop)
  const packages = Array.from({ length: 700 }, (_, n) => parcel(n))
  await putItem(key('packages', { merchant: shop.id }), { packages, last: 700 })
  expect(refusal(await add(shop, { min_bottles: 2000, ...price }))).toEqual([
    400,
    'validation_failed',
    expect.stringMatching(/ max_bytes$/),
  ])
  expect(await all(shop)).toHaveLength(700)
})

describe('packages/delete', () => {
  test('refuses the last package unless it is free', async () => {
    const shop = await newShop('Kellerei Letzter Karton')
    const { id } = recordOf(await add(shop, { ...price }))
    expect(refusal(await remove(shop, id))).toEqual([409, 'package_needed'])
    expect(await all(shop)).toHaveLength(1)
    recordOf(await edit(shop, id, { gross: '0.00' }))
    recordOf(await remove(shop, id))
    expect(await all(shop)).toEqual([])
  })

  test('changes no order: it keeps the package and its cost', async () => {
    const shop = await newCellar('Kellerei Versandt')
    const { id: billing_id } = await newClient(shop)
    await setPackages(shop)
    const order = async () => {
      const items = itemsOf(shop, { secco: 2 })
      return (await shop.call('orders/add', { data: { billing_id, items } })).json.data
    }
    const { uuid, package: sent } = await order()
    recordOf(await remove(shop, 1))
    const { data } = (await shop.call('orders/get', { uuid, include: 'items' })).json
    expect(data.package).toMatchObject({ item_id: 1, gross: '5.95' })
    expect(sent === undefined || sent.item_id === 1).toBe(true)
    // The next larger range applies in the gap.
    const next = await order()
    const { data: after } = (await shop.call('orders/get', { uuid: next.uuid, include: 'items' })).json
    expect(after.package).toMatchObject({ item_id: 2, gross: '8.33' })
  })

  test('of two concurrent deletions of the last two packages, one is refused', async () => {
    const shop = await newShop('Kellerei Wettlauf')
    const { id: one } = recordOf(await add(shop, { max_bottles: 6, ...price }))
    const { id: two } = recordOf(await add(shop, { min_bottles: 7, ...price }))
    const answers = await Promise.all([one, two].map(id => untilDone(() => remove(shop, id))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await all(shop)).toHaveLength(1)
  })
})
