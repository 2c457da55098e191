import { keepRunning, type Running } from '../../lib/twin/dynamodb/keep-running.ts'

/** Something that ends when the test says so, and counts its starts; `after` starts fail. */
const program = () => {
  const ends: ((why: string) => void)[] = []
  let whenStarted: () => void = () => {}
  const start = async (): Promise<Running> => {
    const { promise: ended, resolve } = Promise.withResolvers<string>()
    ends.push(resolve)
    whenStarted()
    return { ended, stop: async () => resolve('stopped') }
  }
  /** Ends it, and waits until it was started again. */
  const endOnce = async (why: string) => {
    const again = new Promise<void>(done => {
      whenStarted = done
    })
    ends.at(-1)?.(why)
    await again
  }
  return { start, ends, endOnce }
}

const lines: string[] = []
const warn = (line: string) => lines.push(line)
beforeEach(() => {
  lines.length = 0
})

test('a process that ends is restarted each time, with the reason in a warning', async () => {
  const { start, ends, endOnce } = program()
  const kept = await keepRunning(start, { name: 'it', warn, soonMs: 0 })
  for (let n = 0; n < 7; n++) await endOnce(`SIGNAL${n}`)
  expect(ends).toHaveLength(8)
  expect(lines).toEqual(Array.from({ length: 7 }, (_, n) => `it ended (SIGNAL${n}) and is started again`))
  await kept.close()
  expect([ends.length, lines.length]).toEqual([8, 7])
})

test('a process that ends early five times in a row is not restarted', async () => {
  const { start, ends, endOnce } = program()
  const kept = await keepRunning(start, { name: 'it', warn, soonMs: 60_000 })
  for (let n = 0; n < 4; n++) await endOnce('exit code 1')
  ends.at(-1)?.('exit code 2')
  expect((await kept.failed).message).toBe('it ended 5 times soon after its start, at last: exit code 2')
  expect([ends.length, lines.length]).toEqual([5, 4])
  await kept.close()
})

test('a start that fails counts as an end', async () => {
  const { start, ends } = program()
  let starts = 0
  const failing = async () => {
    if (starts++ > 0) throw new Error('no port')
    return start()
  }
  const kept = await keepRunning(failing, { name: 'it', warn, soonMs: 60_000 })
  ends[0]?.('SIGKILL')
  expect((await kept.failed).message).toBe('it ended 5 times soon after its start, at last: no port')
  expect(lines.at(-1)).toBe('it ended (no port) and is started again')
  await kept.close()
})

test('the first start must succeed', async () => {
  await expect(keepRunning(() => Promise.reject(new Error('missing')), { name: 'it', warn })).rejects.toThrow('missing')
})

test('a process that is closed during its restart ends', async () => {
  const { start, ends, endOnce } = program()
  let go: () => void = () => {}
  const slow = async () => {
    const made = await start()
    if (ends.length > 1)
      await new Promise<void>(done => {
        go = done
      })
    return made
  }
  const kept = await keepRunning(slow, { name: 'it', warn, soonMs: 0 })
  await endOnce('SIGKILL')
  const closed = kept.close()
  go()
  await closed
  expect(ends).toHaveLength(2)
})
