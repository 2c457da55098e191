import { rush } from '../support/simulated-orders.ts'
import { simulateTable } from '../support/simulated-table.ts'
import { printTable } from './median.ts'

// Proves that queued orders committed in groups get through a rush at DynamoDB's known limits, and at what time and cost:
// the real code with a simulated table in virtual time, so that other load of the machine has no effect.

const table = simulateTable()

const percentile = (values: readonly number[], part: number): string =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0).toString()

const measure = async (name: string, orders: number, span: number, sellsOut = false): Promise<string[]> => {
  const { all } = await rush(table, orders, span, sellsOut)
  const { wcu, transactions, throttled } = table.meter
  const outcomes = await table.until(Promise.all(all))
  const placed = outcomes.filter(({ id }) => id).map(({ ms }) => ms)
  const lost = outcomes.filter(({ error }) => error && error !== 'insufficient_stock').length
  const each = (units: number) => (units / placed.length).toFixed(1)
  return [
    name,
    ...[placed.length, lost].map(String),
    ...[0.5, 0.95].map(part => percentile(placed, part)),
    each(table.meter.wcu - wcu),
    each(table.meter.transactions - transactions),
    String(table.meter.throttled - throttled),
  ]
}

const rows = [['rush', 'placed', 'lost', 'p50 ms', 'p95 ms', 'WCU an order', 'transactions', 'throttled']]
for (const orders of [100, 300, 600]) rows.push(await measure(`${orders} at once`, orders, 0))
for (const seconds of [1, 10, 30]) rows.push(await measure(`300 within ${seconds} s`, 300, seconds * 1000))
for (const orders of [300, 600]) rows.push(await measure(`${orders} at once, half sold out`, orders, 0, true))
rows.push(await measure('600 within 2 s', 600, 2000))
printTable(rows)
