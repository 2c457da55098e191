import { jitter, retry, TransactionRefused } from '../../shared/platform/table/failures.ts'
import { useFakeClock } from '../support/fake-clock.ts'

// Chance is always a half here.
const clock = useFakeClock(0)
beforeEach(() => {
  clock.now = 0
})

/** An attempt that fails so many times, and how often it was made. */
const failing = (times: number, error: Error = new TransactionRefused({})) => {
  const made = { count: 0 }
  const attempt = async () => {
    made.count += 1
    if (made.count <= times) throw error
    return 'done'
  }
  return { attempt, made, error }
}

test('pauses double from 20 ms to 640, with a random part', () => {
  expect([1, 2, 3, 6, 7, 60].map(jitter)).toEqual([10, 20, 40, 320, 320, 320])
})

test('a refused call is repeated after a pause', async () => {
  const { attempt, made, error } = failing(2)
  const asked: unknown[] = []
  const again = (refused: unknown) => asked.push(refused) > 0
  expect(await retry(attempt, again)).toBe('done')
  expect([made.count, clock.now]).toEqual([3, 30])
  expect(asked).toEqual([error, error])
})

test('after the last repeat the refusal is thrown', async () => {
  const { attempt, made, error } = failing(3)
  await expect(retry(attempt, () => true, 3)).rejects.toBe(error)
  expect(made.count).toBe(3)
})

test('only contention is repeated', async () => {
  const { attempt, made, error } = failing(1)
  await expect(retry(attempt, async () => false)).rejects.toBe(error)
  expect(made.count).toBe(1)
})

test('other errors are thrown immediately', async () => {
  const { attempt, made, error } = failing(1, new Error('broken'))
  const again = () => {
    throw new Error('nobody asks')
  }
  await expect(retry(attempt, again)).rejects.toBe(error)
  expect(made.count).toBe(1)
})
