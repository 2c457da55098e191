import { writeMetrics } from '../../shared/platform/log.ts'

/** A line of metrics, as CloudWatch reads it. */
export type MetricsLine = Record<string, unknown> & {
  _aws: {
    Timestamp: number
    CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string; Unit: string }[] }[]
  }
}

/** Any line of the log, as CloudWatch reads it. */
export type LogLine = Record<string, unknown> & Partial<MetricsLine>

/** Lets each test of a file write as in Lambda, with nothing measured before; `texts` holds the lines it wrote so far. */
export const captureLog = (): { texts: string[]; lines(): LogLine[] } => {
  const texts: string[] = []
  const { write } = process.stdout
  beforeEach(() => {
    delete process.env.AWS_LAMBDA_FUNCTION_NAME
    writeMetrics()
    texts.length = 0
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'toy'
    process.stdout.write = ((text: string) => texts.push(text)) as never
  })
  afterEach(() => {
    process.stdout.write = write
    delete process.env.AWS_LAMBDA_FUNCTION_NAME
  })
  return { texts, lines: () => texts.map(text => JSON.parse(text)) }
}
