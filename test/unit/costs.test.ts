import {
  averageOf,
  type Column,
  type Counts,
  costTables,
  dollarsOf,
  idleColumn,
  noUsage,
} from '../bench/costs/month.ts'

const million = 1_000_000
const of = (usage: Partial<Column['usage']>, more: Partial<Column> = {}) =>
  dollarsOf({ head: '', usage: { ...noUsage(), ...usage }, ...more })
const [withGzip, withoutGzip] = ['together, callers that take gzip', 'together, callers that do not']

test('each service is billed at its list price, and the total is their sum', () => {
  const dollars = of({
    ...{ requests: million, starts: million, gbSeconds: 15_000, reads: 3 * million, writes: million },
    ...{ s3Reads: million, s3Writes: million, events: million, logBytes: 1e9, sentBytes: 10e9, gzippedBytes: 1e9 },
  })
  const rounded = Object.fromEntries(Object.entries(dollars).map(([name, amount]) => [name, amount?.toFixed(2)]))
  expect(rounded).toEqual({
    gateway: '1.20',
    Lambda: '0.40',
    DynamoDB: '1.22',
    S3: '5.83',
    'event bus': '1.00',
    logs: '0.63',
    'PayPal credentials': undefined,
    'metrics and alarms': undefined,
    'egress, callers that take gzip': '0.09',
    'egress, callers that do not': '0.90',
    [withGzip]: '10.37',
    [withoutGzip]: '11.18',
  })
})

test('costs without requests are part of the sum, where a column has them', () => {
  const fixed = { metrics: 10, alarms: 2, alarmMetrics: 5 }
  expect(of({}, { fixed })[withGzip]).toBeCloseTo(3.5)
  expect(of({}, { merchants: 1000 })['PayPal credentials']).toBe(0)
})

const counts: Counts = {
  steps: [
    { what: 'a look', of1000: 900, usage: { ...noUsage(), cpuMs: 3, reads: 1 } },
    { what: 'an order', of1000: 100, usage: { ...noUsage(), reads: 11, writes: 20 } },
  ],
  picture: noUsage(),
  plainReadMs: 2,
  timed: [
    { job: 'often', everyMinutes: 5, usage: { ...noUsage(), reads: 500 } },
    { job: 'hourly', everyMinutes: 60, usage: { ...noUsage(), reads: 1000 } },
  ],
  fixed: { metrics: 3, alarms: 2, alarmMetrics: 5 },
}

test('a request has the average usage of all, weighted by their number', () => {
  expect(averageOf(counts)).toMatchObject({ reads: 2, writes: 2 })
})

test('a month has 8,640 runs of a job of five minutes, and 720 of an hourly one', () => {
  expect(idleColumn(counts).usage.reads).toBe(500 * 8640 + 1000 * 720)
})

test('the tables show each request, the average, and a month of so many', () => {
  const text = costTables(counts)
  expect(text).toContain('| a look | 900 | 1.5 | 1 | 0 |')
  expect(text).toContain('| on average |  | 1.4 | 2 | 2 |')
  expect(text).toContain('| DynamoDB | 0.00 | 0.18 | 18.30 | 0.00 | 0.77 |')
  expect(text).toContain('| 3 metrics, 2 alarms on 5 metrics | 1.40 | 1.40 | 1.40 |  |  |')
})
