import { setTimeout as pause } from 'node:timers/promises'

// As long as the busiest machine may take, and below the limit of a test.
const patienceMs = 150_000

/** Asks again and again until an answer is right; resolves with the last one, right or not. */
export const eventually = async <T>(
  ask: () => T | Promise<T>,
  isRight: (answer: T) => boolean = Boolean,
  everyMs = 100,
): Promise<T> => {
  const end = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (isRight(answer) || performance.now() > end) return answer
    await pause(everyMs)
  }
}
