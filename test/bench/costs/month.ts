import { tableOf } from '../../../lib/docs.ts'

/** US dollars, list prices in eu-central-1, November 2026, without free tiers. */
const prices = {
  gatewayRequest: 1.2e-6,
  /** Lambda on arm64. */
  start: 0.2e-6,
  gbSecond: 13.3334e-6,
  /** DynamoDB on demand. */
  readUnit: 0.1525e-6,
  writeUnit: 0.7625e-6,
  s3Read: 0.43e-6,
  s3Write: 5.4e-6,
  event: 1e-6,
  logGb: 0.63,
  /** To the internet, up to 10 TB. */
  egressGb: 0.09,
  /** A month. */
  metric: 0.3,
  alarmMetric: 0.1,
  /** A standard parameter of SSM Parameter Store: one holds a merchant's PayPal credentials. */
  parameter: 0,
} as const

const usageNames = [
  'requests',
  'starts',
  'cpuMs',
  'gbSeconds',
  'reads',
  'writes',
  's3Reads',
  's3Writes',
  'events',
  'logBytes',
  'sentBytes',
  'gzippedBytes',
] as const

/** The billed usage of some work, and its milliseconds of CPU; `sentBytes` are sent to a caller without gzip, `gzippedBytes` to one with it. */
export type Usage = Record<(typeof usageNames)[number], number>

/** A usage by its names. */
export const usageOf = (amountOf: (name: keyof Usage) => number): Usage =>
  Object.fromEntries(usageNames.map(name => [name, amountOf(name)])) as Usage

/** No work. */
export const noUsage = (): Usage => usageOf(() => 0)

/** The sum of works, each with its number of repetitions. */
const sumOf = (works: readonly { usage: Usage; times: number }[]): Usage =>
  usageOf(name => works.reduce((sum, { usage, times }) => sum + usage[name] * times, 0))

/** The monthly usage that does not depend on requests. */
export type Fixed = { metrics: number; alarms: number; alarmMetrics: number }

/** The measurements of the bench. */
export type Counts = {
  /** A shop's requests: the usage of one, and its share in 1,000 requests. */
  steps: { what: string; of1000: number; usage: Usage }[]
  /** A picture that is stored in the requested size. */
  picture: Usage
  /** Milliseconds of CPU of one GetItem through lib-dynamodb, in the same run. */
  plainReadMs: number
  /** A run of each timed job over 1,000 idle merchants. */
  timed: { job: string; everyMinutes: number; usage: Usage }[]
  fixed: Fixed
}

const minutesAMonth = 30 * 24 * 60

/** The average usage of one of a shop's requests. */
export const averageOf = ({ steps }: Counts): Usage =>
  sumOf(steps.map(({ usage, of1000 }) => ({ usage, times: of1000 / 1000 })))

/** A column of the table: the usage of a month, and other billed items. */
export type Column = { head: string; usage: Usage; merchants?: number; fixed?: Fixed }

const fixedRow = 'metrics and alarms'

const rows: Record<string, (column: Column) => number | undefined> = {
  gateway: ({ usage }) => usage.requests * prices.gatewayRequest,
  Lambda: ({ usage }) => usage.starts * prices.start + usage.gbSeconds * prices.gbSecond,
  DynamoDB: ({ usage }) => usage.reads * prices.readUnit + usage.writes * prices.writeUnit,
  S3: ({ usage }) => usage.s3Reads * prices.s3Read + usage.s3Writes * prices.s3Write,
  'event bus': ({ usage }) => usage.events * prices.event,
  logs: ({ usage }) => (usage.logBytes / 1e9) * prices.logGb,
  'PayPal credentials': ({ merchants }) => merchants && merchants * prices.parameter,
  [fixedRow]: ({ fixed }) => fixed && fixed.metrics * prices.metric + fixed.alarmMetrics * prices.alarmMetric,
}

const egress = (bytes: number): number => (bytes / 1e9) * prices.egressGb

/** US dollars of a column, by row; undefined where a row does not apply. */
export const dollarsOf = (column: Column): Record<string, number | undefined> => {
  const { sentBytes, gzippedBytes } = column.usage
  const amounts = Object.entries(rows).map(([name, amountOf]) => [name, amountOf(column)] as const)
  const sum = amounts.reduce((all, [, amount = 0]) => all + amount, 0)
  return {
    ...Object.fromEntries(amounts),
    'egress, callers that take gzip': egress(gzippedBytes),
    'egress, callers that do not': egress(sentBytes),
    'together, callers that take gzip': sum + egress(gzippedBytes),
    'together, callers that do not': sum + egress(sentBytes),
  }
}

/** The timed jobs of a month over 1,000 idle merchants. */
export const idleColumn = ({ timed }: Counts): Column => {
  const works = timed.map(({ everyMinutes, usage }) => ({ usage, times: minutesAMonth / everyMinutes }))
  return { head: '1,000 idle merchants', usage: sumOf(works), merchants: 1000 }
}

const columnsOf = (counts: Counts): Column[] => [
  ...[1_000, 100_000, 10_000_000].map(times => ({
    head: `${times.toLocaleString('en')} requests`,
    usage: sumOf([{ usage: averageOf(counts), times }]),
    fixed: counts.fixed,
  })),
  { head: '1,000,000 pictures', usage: sumOf([{ usage: counts.picture, times: 1_000_000 }]) },
  idleColumn(counts),
]

const monthTable = (counts: Counts): string => {
  const columns = columnsOf(counts)
  const dollars = columns.map(dollarsOf)
  const { metrics, alarms, alarmMetrics } = counts.fixed
  const labels: Record<string, string> = {
    [fixedRow]: `${metrics} metrics, ${alarms} alarms on ${alarmMetrics} metrics`,
  }
  const lines = Object.keys(dollars[0] ?? {}).map(name => [
    labels[name] ?? name,
    ...dollars.map(one => one[name]?.toFixed(2) ?? ''),
  ])
  return tableOf(['US dollars a month', ...columns.map(({ head }) => head)], lines, columns.length)
}

const requestTable = (counts: Counts): string => {
  const cells = ({ cpuMs, reads, writes, sentBytes, gzippedBytes, logBytes }: Usage): string[] => [
    (cpuMs / counts.plainReadMs).toFixed(1),
    ...[reads, writes].map(units => String(Number(units.toFixed(2)))),
    ...[sentBytes, gzippedBytes, logBytes].map(bytes => (bytes / 1000).toFixed(1)),
  ]
  const head = [
    'request',
    'of 1,000',
    'CPU in plain reads',
    'read units',
    'write units',
    'KB sent',
    'KB with gzip',
    'KB of logs',
  ]
  const lines = [
    ...counts.steps.map(({ what, of1000, usage }) => [what, String(of1000), ...cells(usage)]),
    ['on average', '', ...cells(averageOf(counts))],
    ['a picture', '', ...cells(counts.picture)],
  ]
  return tableOf(head, lines, head.length - 1)
}

/** Returns the tables of OPERATIONS.md in Markdown: usage of each request, and the costs of a month. */
export const costTables = (counts: Counts): string => [requestTable(counts), monthTable(counts)].join('\n\n')
