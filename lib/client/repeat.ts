import { ConnectionError, WeinkontorError } from './errors.ts'

const longestBackoff = 5_000
// Who is to wait longer is better told so.
const longestWait = 30

// Nothing was done then, whatever the route; but more failed sign-ins only make it worse.
const isTurnedAway = ({ status, word }: WeinkontorError): boolean => status === 429 && word !== 'login_throttled'

const isPassing = (error: unknown, isSafe: boolean): boolean => {
  if (error instanceof ConnectionError) return isSafe
  if (!(error instanceof WeinkontorError)) return false
  // A 503 says that the service is busy, not that nothing was done: it may come after a write.
  return isTurnedAway(error) || (isSafe && error.status >= 500)
}

/**
 * The milliseconds to wait before a request is repeated that failed for the `tried`th time (from 0), or undefined when its
 * failure is final. `isSafe`: doing it twice does no more than doing it once.
 */
export const waitBefore = (
  error: unknown,
  { tried, retries, isSafe }: { tried: number; retries: number; isSafe: boolean },
): number | undefined => {
  if (tried >= retries || !isPassing(error, isSafe)) return undefined
  // By chance, so that those who failed together do not come back together.
  const backoff = Math.random() * Math.min(longestBackoff, 200 * 2 ** tried)
  const { retryAfter = 0 } = error as Partial<WeinkontorError>
  return retryAfter > longestWait ? undefined : retryAfter * 1000 + backoff
}

/** Rejects with the signal's reason as soon as it aborts; whatever `work` does goes on. */
export const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Waits. Rejects with the signal's reason when it aborts meanwhile. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  return unlessAborted(over, signal).finally(() => clearTimeout(timer))
}
