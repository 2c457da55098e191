import type { LocalFunction } from './function.ts'

export type Schedule = { minutes: number; target: LocalFunction }

// By then the start is over.
const soonMs = 2000

/**
 * Runs functions on their schedules, the first time soon after the start: what fell due, or was missed, while nothing ran
 * here shall not wait for an interval more.
 */
export const startSchedules = () => {
  let timers: NodeJS.Timeout[] = []
  let isFirst = true
  const clear = () => {
    for (const timer of timers) clearInterval(timer)
  }
  return {
    set: (schedules: readonly Schedule[]): void => {
      clear()
      timers = schedules.flatMap(({ minutes, target }) => {
        // The log shows how it went.
        const run = () => target.invoke({}).catch(() => {})
        return [setInterval(run, minutes * 60_000), ...(isFirst ? [setTimeout(run, soonMs)] : [])]
      })
      isFirst = false
    },
    close: async () => clear(),
  }
}
