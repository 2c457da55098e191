/** Fields beside a line's text: an allow-list that callers write. Bodies, tokens and query strings never go in. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Writes a line of JSON to CloudWatch. Outside Lambda nobody would read it, so nothing is written there. Not by `console`:
 * Lambda puts what that writes into JSON of its own, and CloudWatch takes metrics from a plain line alone.
 */
export const writeLine = (line: Fields): void => {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME) process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** An error as JSON can hold it, without the properties that libraries add: those may be a whole record. */
const readable = ({ name, message, stack, cause }: Error) => ({
  ...{ name, message, stack },
  ...(cause instanceof Error && { cause: cause.stack }),
})

// Lambda goes by a line's level only if it has a timestamp.
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
