import { ConnectionError, WeinkontorError } from './errors.ts'

const maxBackoffMs = 5_000
// For a longer Retry-After, the error is more useful than the wait.
const maxRetryAfter = 30

// Nothing was done, whatever the route. After login_throttled, further sign-ins would extend the throttling.
const isRateLimited = ({ status, word }: WeinkontorError): boolean => status === 429 && word !== 'login_throttled'

const isTransient = (error: unknown, isSafe: boolean): boolean => {
  if (error instanceof ConnectionError) return isSafe
  if (!(error instanceof WeinkontorError)) return false
  // A 503 may come after a write.
  return isRateLimited(error) || (isSafe && error.status >= 500)
}

/**
 * The milliseconds to wait before the next repeat, after `tried` repeats; undefined if the failure is final. `isSafe`: the
 * request is idempotent.
 */
export const waitBefore = (
  error: unknown,
  { tried, retries, isSafe }: { tried: number; retries: number; isSafe: boolean },
): number | undefined => {
  if (tried >= retries || !isTransient(error, isSafe)) return undefined
  // Random, so that clients that failed together do not return together.
  const backoff = Math.random() * Math.min(maxBackoffMs, 200 * 2 ** tried)
  const { retryAfter = 0 } = error as Partial<WeinkontorError>
  return retryAfter > maxRetryAfter ? undefined : retryAfter * 1000 + backoff
}

/** Rejects with the signal's reason as soon as it aborts; `work` continues. */
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

/** Waits. Rejects with the signal's reason if it aborts meanwhile. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  return unlessAborted(over, signal).finally(() => clearTimeout(timer))
}
