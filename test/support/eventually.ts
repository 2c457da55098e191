import { setTimeout as pause } from 'node:timers/promises'

/** The maximum on a busy machine, below the timeout of a test of its folder. */
const patienceMs = (): number => (expect.getState().testPath?.includes('/test/unit/') ? 45_000 : 150_000)

/** Repeats a call until its answer is right. Returns the last answer, right or not. */
export const eventually = async <T>(
  ask: () => T | Promise<T>,
  isRight: (answer: T) => boolean = Boolean,
  everyMs = 100,
): Promise<T> => {
  const end = performance.now() + patienceMs()
  for (;;) {
    const answer = await ask()
    if (isRight(answer) || performance.now() > end) return answer
    await pause(everyMs)
  }
}
