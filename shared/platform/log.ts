/** Fields beside a line's text: an allow-list that callers write. Bodies, tokens and query strings never go in. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Writes a line of JSON to CloudWatch. Outside Lambda nobody would read it, so nothing is written there. Not by `console`:
 * Lambda puts what that writes into JSON of its own, and CloudWatch takes metrics from a plain line alone.
 */
const writeLine = (line: Fields): void => {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME) process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** An error as JSON can hold it, without the properties that libraries add: those may be a whole record. */
const readable = ({ name, message, stack, cause }: Error) => ({
  ...{ name, message, stack },
  ...(cause instanceof Error && { cause: cause.stack }),
})

// Lambda reads a line's level only if the line has a timestamp.
const writer =
  (level: 'INFO' | 'WARN' | 'ERROR') =>
  (message: string, { error, ...fields }: Fields = {}): void =>
    writeLine({
      ...{ level, timestamp: new Date().toISOString(), message },
      ...fields,
      ...(error !== undefined && { error: error instanceof Error ? readable(error) : error }),
    })

/** The log: lines of text with fields; an `error` among them is written with its stack. */
export const log = { info: writer('INFO'), warn: writer('WARN'), error: writer('ERROR') }

/** Where CloudWatch keeps what the service measures; a dimension of each metric is the stage. */
export const namespace = 'Weinkontor'

type Unit = 'Count' | 'Milliseconds' | 'Bytes' | 'None'
type Metric = { unit: Unit; summary: string; byKind?: true }

/**
 * Everything that functions measure. Those by kind of route are as many metrics as there are kinds; CloudWatch asks
 * money for each.
 */
export const metrics = {
  Latency: { unit: 'Milliseconds', byKind: true, summary: 'what a request took; it has as many samples as requests' },
  ClientErrors: { unit: 'Count', byKind: true, summary: 'requests that were refused (4xx)' },
  ServerErrors: { unit: 'Count', summary: 'requests that failed by an error of our own (500)' },
  ProviderFailures: { unit: 'Count', summary: 'requests that failed because of a payment provider (502, 504)' },
  Conflicts: { unit: 'Count', summary: 'writes that met others on the same items, which the table refused' },
  Retries: { unit: 'Count', summary: 'requests to the table, and transactions, that were tried again' },
  IndexSize: { unit: 'Bytes', summary: 'the search index that a request used, in memory' },
  IndexRefreshTime: { unit: 'Milliseconds', summary: 'how long a request waited for its index, loading included' },
  PaymentsInReview: { unit: 'Count', summary: 'payments that wait for a person, of all merchants, at each sweep' },
  PaymentsLeft: { unit: 'Count', summary: 'payments that a sweep left to the next one' },
  SweepFailures: { unit: 'Count', summary: 'merchants and payments that could not be swept' },
  FailedLogins: { unit: 'Count', summary: 'sign-ins of merchants and clients with a wrong credential' },
  Orders: { unit: 'Count', summary: 'orders that were placed' },
  Turnover: { unit: 'None', summary: 'their gross amounts, in euros' },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

/** Dimensions of a metric: the stage, and the kind of route where it is measured by that. */
export const dimensionsOf = (name: MetricName): string[] => {
  const { byKind }: Metric = metrics[name]
  return byKind ? ['stage', 'kind'] : ['stage']
}

// As many as a line may hold of a metric.
const maxValues = 100

const noted = new Map<MetricName, number[]>()

const isSummed = (name: MetricName): boolean => ['Count', 'None'].includes(metrics[name].unit)

/** Records a measurement until the end of the request or run: counts are summed, times and sizes are listed. */
export const count = (name: MetricName, value = 1): void => {
  const before = noted.get(name) ?? []
  if (isSummed(name)) noted.set(name, [(before[0] ?? 0) + value])
  else if (before.length < maxValues) noted.set(name, [...before, value])
}

/** Fields of a line beside its metrics: they can be searched for, and make no metrics of their own. */
export type Properties = Readonly<Record<string, string | number | undefined>>

const directives = (names: readonly MetricName[]): object[] => {
  const byDimensions = Map.groupBy(names, name => dimensionsOf(name).join())
  return [...byDimensions].map(([dimensions, some]) => ({
    Namespace: namespace,
    Dimensions: [dimensions.split(',')],
    Metrics: some.map(name => ({ Name: name, Unit: metrics[name].unit })),
  }))
}

/** Writes what was noted as a line of CloudWatch's embedded metric format, and clears it. */
export const writeMetrics = (properties: Properties = {}): void => {
  const values = [...noted]
  noted.clear()
  if (values.length === 0) return
  writeLine({
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: directives(values.map(([name]) => name)) },
    stage: process.env.STAGE,
    ...properties,
    ...Object.fromEntries(values.map(([name, all]) => [name, all.length === 1 ? all[0] : all])),
  })
}

/** A job that writes what it measured at the end of each run, also of a run that fails. */
export const withMetrics =
  <Given extends unknown[]>(run: (...given: Given) => Promise<void>) =>
  async (...given: Given): Promise<void> => {
    try {
      await run(...given)
    } finally {
      writeMetrics({ function: process.env.AWS_LAMBDA_FUNCTION_NAME })
    }
  }
