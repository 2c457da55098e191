import fc from 'fast-check'
import type * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { ordersGet, ordersGetAll } from '../../shared/contract/routes/order-reads.ts'
import { NewOrder, ordersAdd } from '../../shared/contract/routes/orders.ts'
import { type OrderRelation, orderRelations } from '../../shared/contract/vocabulary.ts'
import { validate } from '../../shared/http/request.ts'

const rulesOf = (schema: v.GenericSchema, value: unknown): string[] => {
  try {
    validate(schema, value)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.fields.map(({ path, rule }) => `${path} ${rule}`)
  }
}

const item = { item_type: 'wine', item_id: 7, quantity: 6 }
const least = { billing_id: 12, items: [item] }
const withItem = (change: object) => ({ ...least, items: [{ ...item, ...change }] })

const noIds = [
  '12abc',
  '1e3',
  '0x10',
  '１２',
  '',
  ' 12',
  '12\n',
  '0',
  0,
  -1,
  1.5,
  2 ** 53,
  '9007199254740992',
  true,
  [],
  {},
  [1],
]

describe('a new order', () => {
  test('the least it needs is a billing record and an item', () => {
    expect(validate(NewOrder, least)).toEqual({
      source: 'unknown',
      billing_id: 12,
      invoice_type: 'gross',
      items: [item],
      delivery_note_remark: null,
      client_remark: null,
      invoice_remark: null,
      note: null,
    })
  })

  test('takes the payment words of older shops for those of today', () => {
    const read = (payment_type: string) => validate(NewOrder, { ...least, payment_type }).payment_type
    expect(['bill', 'debiting', 'debit'].map(read)).toEqual(['invoice', 'debit', 'debit'])
  })

  test('ids and quantities may come as text, amounts as text or number', () => {
    const data = { billing_id: '12', delivery_id: '13', items: [{ item_type: 'wine', item_id: '7', quantity: '6' }] }
    const sums = { net: '21.17', tax: 4.02, gross: 25.19 }
    expect(validate(NewOrder, { ...data, ...sums })).toMatchObject({
      billing_id: 12,
      delivery_id: 13,
      items: [item],
      net: 2117,
      tax: 402,
      gross: 2519,
    })
  })

  test('null means left out', () => {
    const fields = [
      'source',
      'billing_type',
      'delivery_type',
      'delivery_id',
      'invoice_type',
      'payment_type',
      'payment_period',
    ]
    const others = ['net', 'tax', 'gross', 'delivery_note_remark', 'client_remark', 'invoice_remark', 'note']
    const unset = Object.fromEntries([...fields, ...others].map(field => [field, null]))
    const defaults = { source: 'unknown', invoice_type: 'gross' }
    expect(validate(NewOrder, { ...least, ...unset })).toEqual({ ...unset, ...least, ...defaults })
  })

  test('unknown fields and prototype keys are left out, on the order and on its items', () => {
    const stray = JSON.parse(
      '{"foo":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"customers_id":9}',
    )
    const order = validate(NewOrder, { ...stray, ...least, items: [{ ...stray, ...item }] })
    expect(order).toEqual(validate(NewOrder, least))
    expect(Object.keys(order)).not.toContain('__proto__')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('an item carries no price', () => {
    const priced = withItem({ gross: '0.01', net: '0.01', tax: '0.00', taxrate: 0, price: 1 })
    expect(validate(NewOrder, priced).items).toEqual([item])
  })

  test('all bad fields are returned together', () => {
    const items = [item, { item_type: 'wine', item_id: 'x', quantity: 0 }, { item_type: 'wine' }]
    expect(rulesOf(ordersAdd.body, { data: { billing_type: 'foo', items } })).toEqual([
      'data.billing_type one_of',
      'data.items.1.item_id id',
      'data.items.1.quantity min_value',
      'data.items.2.item_id required',
      'data.items.2.quantity required',
      'data billing',
    ])
  })

  test.each([undefined, null, 'text', 5, true])('%p is no order', data => {
    expect(rulesOf(ordersAdd.body, { data })).toHaveLength(1)
  })

  test('data itself is required', () => {
    expect(rulesOf(ordersAdd.body, {})).toEqual(['data required'])
  })
})

describe('ids and quantities', () => {
  test.each(noIds)('%j is no id', value => {
    expect(rulesOf(NewOrder, { ...least, billing_id: value })).toEqual(['billing_id id'])
    expect(rulesOf(NewOrder, { ...least, delivery_id: value })).toEqual(['delivery_id id'])
    expect(rulesOf(NewOrder, withItem({ item_id: value }))).toEqual(['items.0.item_id id'])
  })

  test.each([0, '0', 10_000, '10000', 2 ** 53 - 1])('%j is out of bounds as a quantity', quantity => {
    const rule = Number(quantity) === 0 ? 'min_value' : 'max_value'
    expect(rulesOf(NewOrder, withItem({ quantity }))).toEqual([`items.0.quantity ${rule}`])
  })

  test.each([
    ...noIds.filter(value => Number(value) !== 0 || value === ''),
    '-1',
    null,
    [6],
  ])('%j is no quantity', quantity => {
    expect(rulesOf(NewOrder, withItem({ quantity }))).toEqual(['items.0.quantity whole_number'])
  })

  test.each([1, 9999, '1', '9999'])('%j is a quantity', quantity => {
    expect(validate(NewOrder, withItem({ quantity })).items).toEqual([{ ...item, quantity: Number(quantity) }])
  })

  test.each([0, '14', 365])('%j is a payment period', payment_period => {
    expect(validate(NewOrder, { ...least, payment_period }).payment_period).toBe(Number(payment_period))
  })

  test.each([366, -1, '1e2', 1.5, ''])('%j is no payment period', payment_period => {
    expect(rulesOf(NewOrder, { ...least, payment_period })).toHaveLength(1)
  })
})

describe('the items of an order', () => {
  test('there are 50 at most', () => {
    // An empty list is well-formed; the order is refused when it is priced.
    expect(rulesOf(NewOrder, { ...least, items: [] })).toEqual([])
    expect(validate(NewOrder, { ...least, items: Array(50).fill(item) }).items).toHaveLength(50)
    expect(rulesOf(NewOrder, { ...least, items: Array(51).fill(item) })).toEqual(['items max_items'])
  })

  test('too many are refused before any is looked at', () => {
    expect(rulesOf(NewOrder, { ...least, items: Array(20_000).fill('CANARY') })).toEqual(['items max_items'])
  })

  test.each([{}, 'wine', 5, { 0: item, length: 1 }])('%j is no list of items', items => {
    expect(rulesOf(NewOrder, { ...least, items })).toEqual(['items type'])
  })

  test.each([null, 'wine', 5, true])('%j is no item', one => {
    expect(rulesOf(NewOrder, { ...least, items: [one] })).toEqual(['items.0 type'])
  })

  test.each(['', 'Wine', 'wines', 'constructor', '__proto__', 0, null, []])('%j is no item_type', item_type => {
    expect(rulesOf(NewOrder, withItem({ item_type }))).toEqual(['items.0.item_type one_of'])
  })
})

describe('words, amounts and texts of an order', () => {
  test.each([
    ['billing_type', ['client', 'address']],
    ['delivery_type', ['client', 'address', 'none']],
    ['invoice_type', ['net', 'gross']],
    ['payment_type', ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank']],
  ])('%s is one of %j', (field, words) => {
    for (const word of words) expect(validate(NewOrder, { ...least, [field]: word })).toMatchObject({ [field]: word })
    for (const word of [
      '',
      'foo',
      words[0]?.toUpperCase(),
      `${words[0]} `,
      'constructor',
      '__proto__',
      0,
      true,
      [words[0]],
    ]) {
      expect(rulesOf(NewOrder, { ...least, [field]: word })).toEqual([`${field} one_of`])
    }
  })

  test.each([
    '',
    '1',
    '1,50',
    '1e3',
    '１.００',
    ' 1.00',
    '1.00\n',
    0.001,
    12.345,
    true,
    [],
    {},
  ])('%j is no amount', amount => {
    for (const field of ['net', 'tax', 'gross'])
      expect(rulesOf(NewOrder, { ...least, [field]: amount })).toEqual([`${field} money`])
  })

  test.each([
    'delivery_note_remark',
    'client_remark',
    'invoice_remark',
    'note',
  ])('%s has several lines and 4,000 characters', field => {
    const read = (text: string) => validate(NewOrder, { ...least, [field]: text })
    expect(read(' a\r\nb ')).toMatchObject({ [field]: 'a\nb' })
    expect(read('  ')).toMatchObject({ [field]: null })
    expect(read('🍷'.repeat(4000))).toMatchObject({ [field]: '🍷'.repeat(4000) })
    expect(rulesOf(NewOrder, { ...least, [field]: '🍷'.repeat(4001) })).toEqual([`${field} max_length`])
    expect(rulesOf(NewOrder, { ...least, [field]: 'a\u0000' })).toEqual([`${field} printable`])
    expect(rulesOf(NewOrder, { ...least, [field]: '\udf77' })).toEqual([`${field} well_formed`])
  })

  test('the source is one line of 255 characters', () => {
    expect(validate(NewOrder, { ...least, source: 'shop' }).source).toBe('shop')
    expect(rulesOf(NewOrder, { ...least, source: 'a\nb' })).toEqual(['source printable'])
    expect(rulesOf(NewOrder, { ...least, source: 'a'.repeat(256) })).toEqual(['source max_length'])
  })
})

describe('include', () => {
  const included = (include: unknown, route: typeof ordersGet | typeof ordersGetAll = ordersGet) =>
    [...validate(route.body, { include }).include].toSorted()

  test('without it an order comes with what the interface names', () => {
    for (const none of [undefined, null]) {
      expect(included(none)).toEqual(['billing', 'client', 'delivery', 'documents', 'items'])
      expect(included(none, ordersGetAll)).toEqual(['billing', 'delivery'])
    }
  })

  test('nothing asked for is nothing included', () => {
    for (const none of ['', ' ', ',', [], [''], [' ']]) expect(included(none)).toEqual([])
  })

  test('a list and words between commas mean the same, whatever the blanks, order and repetitions', () => {
    const blanks = fc.constantFrom('', ' ', '  ')
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...orderRelations), { maxLength: 20 }),
        blanks,
        (wanted: OrderRelation[], blank) => {
          const expected = [...new Set(wanted)].toSorted()
          expect(included(wanted)).toEqual(expected)
          expect(included(wanted.map(one => `${blank}${one}${blank}`).join(','))).toEqual(expected)
        },
      ),
    )
  })

  test.each([
    'foo',
    'Client',
    'client;items',
    'client items',
    'client,foo',
    'constructor',
    '__proto__',
    'positions',
  ])('"%s" is unknown', include => {
    expect(rulesOf(ordersGet.body, { include })).toEqual(['include one_of'])
    expect(rulesOf(ordersGet.body, { include: [include] })).toEqual(['include one_of'])
  })

  test.each([5, true, {}, [5], [['client']], [null], Array(21).fill('client')])('%j is no include', include => {
    expect(rulesOf(ordersGet.body, { include })).toHaveLength(1)
  })
})

test('an order is asked for by id, uuid, both or neither', () => {
  const uuid = '0F8FAD5B-D9CB-469F-A165-70867728950E'
  expect(validate(ordersGet.body, { id: '5', uuid })).toMatchObject({ id: 5, uuid: uuid.toLowerCase() })
  expect(validate(ordersGet.body, { id: null, uuid: null })).toMatchObject({ id: null, uuid: null })
  expect(rulesOf(ordersGet.body, { id: '5x', uuid: `${uuid}0` })).toEqual(['id id', 'uuid uuid'])
})
