import { counted } from '../support/partitions.ts'
import { type Outcome, rush } from '../support/simulated-orders.ts'
import { simulateTable } from '../support/simulated-table.ts'

// Rushes at DynamoDB's limits, in virtual time; `node test/bench/numbering.ts` measures larger rushes.

const table = simulateTable()
afterAll(() => table.end())
afterEach(() => {
  table.atRequest = () => {}
})

const idsOf = (outcomes: readonly Outcome[]) => outcomes.flatMap(({ id }) => id ?? []).toSorted((a, b) => a - b)

test('in a rush in which a wine sells out, every other buyer gets an order, and none is lost', async () => {
  const { all } = await rush(table, 200, 0, true)
  const outcomes = await table.until(Promise.all(all))
  expect(idsOf(outcomes)).toEqual(counted(110))
  expect(outcomes.filter(({ error }) => error === 'insufficient_stock')).toHaveLength(90)
  // Each request that lost the first race waits in the queue: none costs another transaction of its own.
  expect(table.meter.transactions).toBeLessThan(2.5 * 200)
})

test('in a rush whose first leaders die, every other buyer gets an order', async () => {
  const dead: string[] = []
  table.atRequest = (name, text, sender) => {
    if (name !== 'PutItemCommand' || !text.includes('#leaders') || !sender || dead.length === 2) return
    dead.push(text)
    sender.isDead = true
  }
  const { all } = await rush(table, 60, 0)
  const known: Outcome[] = []
  for (const one of all) one.then(outcome => known.push(outcome))
  await table.until(table.at(10_000, async () => {}))
  expect(dead).toHaveLength(2)
  expect(known.filter(({ error }) => error)).toEqual([])
  expect(known).toHaveLength(58)
  // The draft of a request that ended is placed as well.
  expect(Math.max(...idsOf(known))).toBeLessThanOrEqual(60)
  expect(Math.max(...known.map(({ ms }) => ms))).toBeGreaterThan(1400)
})
