import type { LocalFunction } from './function.ts'

/** A function that runs on a schedule. */
export type Schedule = { minutes: number; target: LocalFunction }

/** Runs functions on their schedules, the first time after one interval. */
export const startSchedules = () => {
  let timers: NodeJS.Timeout[] = []
  const clear = () => {
    for (const timer of timers) clearInterval(timer)
  }
  return {
    set: (schedules: readonly Schedule[]): void => {
      clear()
      // How it went stands in the log.
      timers = schedules.map(({ minutes, target }) =>
        setInterval(() => target.invoke({}).catch(() => {}), minutes * 60_000),
      )
    },
    close: async () => clear(),
  }
}
