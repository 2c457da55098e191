import { setTimeout as pause } from 'node:timers/promises'

/** Something that runs beside the twin; `ended` resolves with the reason when it ends, however it does. */
export type Running = { ended: Promise<string>; stop(): Promise<void> }

/** `failed` resolves when it is given up. */
export type KeptRunning = { failed: Promise<Error>; close(): Promise<void> }

export type KeepOptions = {
  /** For messages: 'the database'. */
  name: string
  warn(message: string): void
  /** An end within so many milliseconds of the start is early. */
  soonMs?: number
}

// A person may kill it a few times; a process that ends by itself again and again has a reason.
const maxSoonEnds = 5
const firstPauseMs = 50

/**
 * Starts something and starts it again whenever it ends, until it is closed, or has ended soon five times in a row.
 * Rejects when it cannot even be started once.
 */
export const keepRunning = async (
  start: () => Promise<Running>,
  { name, warn, soonMs = 5000 }: KeepOptions,
): Promise<KeptRunning> => {
  const failed = Promise.withResolvers<Error>()
  const closing = new AbortController()
  let running = await start()

  /** Runs it to its end; returns why it ended. A start that fails is an end as well. */
  const runAgain = async (pauseMs: number): Promise<string> => {
    try {
      await pause(pauseMs, undefined, { signal: closing.signal })
      running = await start()
      if (closing.signal.aborted) await running.stop()
      return await running.ended
    } catch (error) {
      return (error as Error).message
    }
  }

  const keep = async (): Promise<void> => {
    let since = Date.now()
    let why = await running.ended
    for (let soonEnds = 0; !closing.signal.aborted; ) {
      soonEnds = Date.now() - since < soonMs ? soonEnds + 1 : 0
      if (soonEnds === maxSoonEnds)
        return failed.resolve(new Error(`${name} ended ${maxSoonEnds} times soon after its start, at last: ${why}`))
      warn(`${name} ended (${why}) and is started again`)
      since = Date.now()
      why = await runAgain(firstPauseMs * 2 ** soonEnds)
    }
  }

  const keeping = keep()
  return {
    failed: failed.promise,
    close: async () => {
      closing.abort()
      await running.stop()
      await keeping
    },
  }
}
