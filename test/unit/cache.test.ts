import { setImmediate } from 'node:timers/promises'
import { readThrough } from '../../shared/platform/cache.ts'

const minute = 60_000
let now = Date.UTC(2026, 0, 1)
const { now: wallClock } = Date
beforeAll(() => {
  Date.now = () => now
})
afterAll(() => {
  Date.now = wallClock
})

/** A cache of so many values for a minute; `reads` are the keys it read so far, each with its stale value. */
const counting = (max = 2) => {
  const reads: [string, number | undefined][] = []
  let fails = false
  const cache = readThrough<string, { n: number }>({ max, trustedFor: minute })
  const value = (key: string) =>
    cache(key, async stale => {
      reads.push([key, stale?.n])
      await setImmediate()
      if (fails) throw new Error(`no ${key}`)
      return { n: reads.length }
    })
  const fail = (yes: boolean) => {
    fails = yes
  }
  return { value, reads, fail }
}

test('a value is read once within its time, and then again, with the previous value', async () => {
  const { value, reads } = counting()
  const first = await value('a')
  now += minute
  expect(await value('a')).toBe(first)
  now += 1
  expect(await value('a')).toEqual({ n: 2 })
  expect(reads).toEqual([
    ['a', undefined],
    ['a', 1],
  ])
})

test('use does not extend the life of a value', async () => {
  const { value, reads } = counting()
  await value('a')
  for (let n = 0; n < 10; n++) {
    now += minute / 8
    await value('a')
  }
  expect(reads).toHaveLength(2)
})

test('age is measured by the wall clock: a frozen function does not use old values', async () => {
  const { value, reads } = counting()
  await value('a')
  await value('a')
  now += 3600_000
  await value('a')
  expect(reads).toHaveLength(2)
})

test('beyond the limit the least recently used value is evicted', async () => {
  const { value, reads } = counting()
  await value('a')
  await value('b')
  await value('a')
  await value('c')
  await value('a')
  expect(reads.map(([key]) => key)).toEqual(['a', 'b', 'c'])
  await value('b')
  expect(reads).toHaveLength(4)
})

test('concurrent readers share one read', async () => {
  const { value, reads } = counting()
  const [one, other] = await Promise.all([value('a'), value('a')])
  expect(one).toBe(other)
  expect(reads).toHaveLength(1)
})

test('a value that is evicted during its read is returned', async () => {
  const { value } = counting(1)
  const all = await Promise.all(['a', 'b', 'c'].map(key => value(key)))
  expect(all.map(({ n }) => n)).toEqual([3, 3, 3])
})

test('an error is thrown and not cached, and does not restore an expired value', async () => {
  const { value, reads, fail } = counting()
  fail(true)
  await expect(value('a')).rejects.toThrow('no a')
  fail(false)
  await value('a')
  now += minute + 1
  fail(true)
  await expect(value('a')).rejects.toThrow('no a')
  fail(false)
  expect(await value('a')).toEqual({ n: 4 })
  expect(reads.map(([, stale]) => stale)).toEqual([undefined, undefined, 2, 2])
})
