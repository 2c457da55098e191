import {
  checkDue,
  counterKeys,
  lostNumber,
  numbersIn,
  OthersWaiting,
  onlyNumbersLost,
  refusedAlong,
  type Turn,
  takeNumbers,
} from '../../shared/orders/numbers.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'

const merchant = 7 as MerchantId
const numbers = { orders: 4, invoices: 3, deliveryNotes: 2, creditAdvices: 1 }
const turns = { orders: 40, invoices: 30, deliveryNotes: 20, creditAdvices: 10 }
const moved = { orders: 400, invoices: 300, deliveryNotes: 200, creditAdvices: 100 }
const items = (['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const).map(name => ({
  last: numbers[name],
  turn: turns[name],
  at: moved[name],
}))

const seen: number[] = []
const turnOf = (changes: Partial<Turn> = {}): Turn => ({
  counter: 'orders',
  ticket: null,
  abandoned: 0,
  isDue: true,
  through: null,
  used: false,
  see: turn => seen.push(turn),
  ...changes,
})
const refused = (reasons: Record<string, string>) => new TransactionRefused(reasons)
const failed = 'ConditionalCheckFailed'

beforeAll(() => {
  process.env.TABLE_NAME = 'test'
})
beforeEach(() => {
  seen.length = 0
})

describe('what was read of the counters', () => {
  test('is the last number, the turn and the moment of each kind', () => {
    expect(counterKeys(merchant)).toEqual(
      ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'].map(counter => key('numbers', { merchant, counter })),
    )
    expect(numbersIn(items)).toEqual({ numbers, turns, moved })
  })

  test.each([0, 1, 2, 3])('is nothing without counter %p', missing => {
    expect(numbersIn(items.map((item, n) => (n === missing ? undefined : item)))).toBeUndefined()
  })
})

describe('taking numbers', () => {
  const now = Date.now
  beforeAll(() => {
    Date.now = () => 1_000_000
  })
  afterAll(() => {
    Date.now = now
  })
  const taken = (after: Partial<typeof numbers>, turn?: Turn) =>
    takeNumbers(merchant, { numbers, turns }, { ...numbers, ...after }, turn).map(({ name, key: { sk }, request }) => {
      const { UpdateExpression, ConditionExpression, ExpressionAttributeValues } = request().Update ?? {}
      return { name, sk, UpdateExpression, ConditionExpression, values: Object.values(ExpressionAttributeValues ?? {}) }
    })
  const move = (name: string, values: number[]) => ({
    name: `numbers ${name}`,
    sk: name,
    UpdateExpression: 'SET #n0 = :v0, #n1 = :v1',
    ConditionExpression: '#n0 = :v2',
    values,
  })

  test('moves just the counters that differ, from what was read', () => {
    expect(taken({ invoices: 5, creditAdvices: 2 })).toEqual([
      move('invoices', [5, 1_000_000, 3]),
      move('creditAdvices', [2, 1_000_000, 1]),
    ])
    expect(taken({})).toEqual([])
  })

  test.each([
    ['without a ticket leaves the turn where it is', { ticket: null, abandoned: 0 }, 40, false],
    ['without a ticket passes by who is gone', { ticket: null, abandoned: 50 }, 50, false],
    ['with a ticket ends its turn', { ticket: 41 }, 41, true],
    ['with a ticket ends the turns of those placed along', { ticket: 41, through: 45 }, 45, true],
    ['with a ticket that is late does not set the turn back', { ticket: 39, abandoned: 60 }, 40, true],
  ])('%s', (_, changes, turn, used) => {
    const own = turnOf(changes)
    const [action] = takeNumbers(merchant, { numbers, turns }, { ...numbers, orders: 5 }, own)
    expect(Object.values(action?.request().Update?.ExpressionAttributeValues ?? {})).toEqual([5, 1_000_000, turn, 4])
    expect([own.used, seen]).toEqual([used, [40]])
  })

  test('of another counter than one queued for says nothing of the turn', () => {
    const own = turnOf({ ticket: 41, counter: 'invoices' })
    expect(taken({ orders: 5 }, own)).toEqual([move('orders', [5, 1_000_000, 4])])
    expect([own.used, seen]).toEqual([false, []])
  })

  test('before a turn is due is refused', () => {
    const own = turnOf({ ticket: 41, isDue: false })
    expect(() => taken({ orders: 5 }, own)).toThrow(OthersWaiting)
    expect(() => checkDue(own, { turns })).toThrow(OthersWaiting)
    expect(() => checkDue(turnOf({ counter: 'creditAdvices' }), { turns })).not.toThrow()
    expect(seen).toEqual([40, 40, 10])
  })
})

describe('a transaction that was refused', () => {
  test.each([
    [{ 'numbers orders': failed }, true, false],
    [{ 'numbers orders': 'TransactionConflict' }, true, false],
    [{ 'numbers orders': 'None', 'numbers invoices': failed }, false, true],
    [{ order: failed }, false, false],
  ])('%j lost the number of the order, or of the invoice', (reasons, order, invoice) => {
    expect([lostNumber(refused(reasons), 'orders'), lostNumber(refused(reasons), 'invoices')]).toEqual([order, invoice])
  })

  test.each([
    [{ 'numbers orders': failed, 'part 0': failed, order: failed, '12 order': failed, '3 uuid': failed }, true],
    [{ 'numbers orders': failed, basket: 'TransactionConflict', 'stock wine#1': 'None' }, true],
    [{ 'numbers orders': failed, basket: failed }, false],
    [{ 'stock wine#1': failed }, false],
    [{ 'the order': failed }, false],
    [{ 'order 1': failed }, false],
    [{ 'no part 0': failed }, false],
    [{ 'x12 order': failed }, false],
  ])('%j lost nothing but numbers: %p', (reasons, expected) => {
    expect(onlyNumbersLost(refused(reasons))).toBe(expected)
  })

  test('names the orders placed along that were refused for something else than their numbers', () => {
    const reasons = {
      order: failed,
      'part 0': failed,
      uuid: failed,
      '2 order': failed,
      '3 part 0': failed,
      '14 uuid': failed,
      '14 waiting': failed,
      '5 basket': 'TransactionConflict',
      '6 orders': failed,
      'x7 basket': failed,
    }
    expect(refusedAlong(refused(reasons))).toEqual([14, 14, 6])
  })
})
