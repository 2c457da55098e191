import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { type LocalFunction, localFunction } from '../../lib/twin/lambda/function.ts'
import { type InstanceLimiter, instanceLimiter, type Slot } from '../../lib/twin/lambda/instance-limiter.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('slots', () => {
  const names: string[] = []
  const slots: Record<string, Slot> = {}
  /** A slot whose instance loads immediately, unless `load` delays it. */
  const ask = (limiter: InstanceLimiter, since: number, name: string, { isFirst = true, load = true } = {}) =>
    limiter.request({
      since,
      isFirst,
      take: slot => {
        names.push(name)
        slots[name] = slot
        if (load) slot.loaded()
      },
    })
  beforeEach(() => {
    names.length = 0
  })
  /** Makes an instance idle; it exits immediately when it is ended. */
  const rest = (name: string) =>
    slots[name]?.idle(() => {
      names.push(`-${name}`)
      slots[name]?.release()
    })

  test('are handed over while there are any, then as they are released, to the longest waiting', () => {
    const limiter = instanceLimiter(1)
    ask(limiter, 1, 'a')
    ask(limiter, 5, 'd')
    ask(limiter, 3, 'b')
    ask(limiter, 3, 'c')
    expect(names).toEqual(['a'])
    for (const name of ['a', 'b', 'c']) slots[name]?.release()
    expect(names).toEqual(['a', 'b', 'c', 'd'])
  })

  test('are taken from idle instances, longest idle first, as many as are requested', () => {
    const limiter = instanceLimiter(3)
    for (const name of ['a', 'b', 'c']) ask(limiter, 1, name)
    rest('b')
    rest('a')
    rest('c')
    slots.a?.busy()
    ask(limiter, 2, 'd')
    ask(limiter, 2, 'e')
    ask(limiter, 2, 'f')
    expect(names).toEqual(['a', 'b', 'c', '-b', 'd', '-c', 'e'])
    rest('a')
    expect(names.slice(7)).toEqual(['-a', 'f'])
  })

  test('are released when an instance has exited, not when it is asked to end', () => {
    const limiter = instanceLimiter(1)
    ask(limiter, 1, 'a')
    slots.a?.idle(() => names.push('-a'))
    ask(limiter, 2, 'b')
    expect([names, limiter.isAwaited(3)]).toEqual([['a', '-a'], false])
    slots.a?.release()
    expect(names).toEqual(['a', '-a', 'b'])
  })

  test('are not handed over to a withdrawn request', () => {
    const limiter = instanceLimiter(1)
    ask(limiter, 1, 'a')
    const withdraw = ask(limiter, 2, 'b')
    expect([limiter.isAwaited(3), limiter.isAwaited(2)]).toEqual([true, false])
    withdraw()
    expect(limiter.isAwaited(3)).toBe(false)
    rest('a')
    expect(names).toEqual(['a'])
  })
})

describe('requests for slots', () => {
  const names: string[] = []
  const slots: Slot[] = []
  const ask = (limiter: InstanceLimiter, since: number, name: string, isFirst = true) =>
    limiter.request({
      since,
      isFirst,
      take: slot => {
        names.push(name)
        slots.push(slot)
      },
    })
  beforeEach(() => {
    names.length = slots.length = 0
  })

  test('of functions without an instance come first, and busy instances wait for no others', () => {
    const limiter = instanceLimiter(1)
    ask(limiter, 1, 'a')
    slots[0]?.loaded()
    ask(limiter, 2, 'more of a', false)
    expect(limiter.isAwaited(9)).toBe(false)
    ask(limiter, 3, 'b')
    expect([limiter.isAwaited(3), limiter.isAwaited(4)]).toEqual([false, true])
    slots[0]?.release()
    slots[1]?.release()
    expect(names).toEqual(['a', 'b', 'more of a'])
  })

  test('are limited to so many loading instances, and no instance is ended for a request that may not load yet', () => {
    const limiter = instanceLimiter(3, 1)
    ask(limiter, 1, 'a')
    ask(limiter, 2, 'b')
    ask(limiter, 3, 'c')
    ask(limiter, 4, 'd')
    expect(names).toEqual(['a'])
    slots[0]?.loaded()
    expect(names).toEqual(['a', 'b'])
    slots[0]?.idle(() => names.push('-a'))
    slots[1]?.loaded()
    expect(names).toEqual(['a', 'b', 'c'])
    slots[2]?.release()
    expect(names).toEqual(['a', 'b', 'c', 'd'])
    ask(limiter, 5, 'e')
    expect(names).toHaveLength(4)
    slots[3]?.loaded()
    expect(names).toEqual(['a', 'b', 'c', 'd', '-a'])
  })
})

describe('functions that share a limiter', () => {
  const folder = temporaryFolder('limiter')
  const functions: LocalFunction[] = []
  let alive = 0
  let most = 0
  let started = 0
  const count = (worker: Worker) => {
    started++
    most = Math.max(most, ++alive)
    worker.once('exit', () => alive--)
  }

  beforeAll(async () => {
    const source = `export const handler = async ({ ms = 0, n, fail }) => {
      if (fail) process.exit(1)
      await new Promise(done => setTimeout(done, ms))
      return n
    }`
    await writeFile(join(folder, 'index.mjs'), source)
    process.on('worker', count)
  })
  beforeEach(() => {
    started = most = 0
  })
  afterEach(async () => {
    for (const one of functions.splice(0)) await one.close()
  })
  afterAll(() => {
    process.off('worker', count)
  })

  const log = new PassThrough().resume()
  log.setMaxListeners(0)
  const model = {
    bundle: '',
    handler: 'index.handler',
    environment: {},
    statements: [],
    timeoutSeconds: 15,
    memoryMb: 64,
  }
  const newFunctions = (number: number, slots: number, maxInstances = 2): LocalFunction[] => {
    const limiter = instanceLimiter(slots)
    const made = Array.from({ length: number }, (_, n) =>
      localFunction({
        model: { ...model, name: `f${n}`, arn: `arn:f${n}` },
        folder,
        environment: () => ({}),
        log,
        maxInstances,
        limiter,
      }),
    )
    functions.push(...made)
    return made
  }
  const at = <T>(all: readonly T[], n: number): T => all[n % all.length] as T

  test('have no more instances than slots, and every event is served, in any order', async () => {
    const made = newFunctions(12, 3)
    const values = await Promise.all(Array.from({ length: 30 }, (_, n) => at(made, n).invoke({ n, ms: n % 3 })))
    expect(values).toEqual(Array.from({ length: 30 }, (_, n) => n))
    expect(most).toBe(3)
  })

  test('release slots between their own events, so that a busy function does not starve others', async () => {
    const [busy, other] = newFunctions(2, 1) as [LocalFunction, LocalFunction]
    const ends: string[] = []
    const first = Array.from({ length: 3 }, () => busy.invoke({ ms: 20 }))
    const guest = other.invoke({}).then(() => ends.push('guest'))
    const later = Array.from({ length: 3 }, () => busy.invoke({ ms: 20 }).then(() => ends.push('busy')))
    await Promise.all([...first, guest, ...later])
    expect(ends).toEqual(['guest', 'busy', 'busy', 'busy'])
    expect(most).toBe(1)
  })

  test('keep their instances while no other function needs the slot', async () => {
    const [one] = newFunctions(2, 1, 1) as [LocalFunction]
    for (let n = 0; n < 3; n++) await one.invoke({})
    await Promise.all([one.invoke({}), one.invoke({}), one.invoke({})])
    expect(started).toBe(1)
  })

  test('release their slots when they crash', async () => {
    const made = newFunctions(3, 1)
    for (const one of made) await expect(one.invoke({ fail: true })).rejects.toThrow('exited with code 1')
    expect(await made[0]?.invoke({ n: 7 })).toBe(7)
  })

  test('fail the event that an instance cannot be started for, and the next finds the slot', async () => {
    const limiter = instanceLimiter(1)
    let failures = 1
    const environment = () => {
      if (failures-- > 0) throw new Error('no thread')
      return {}
    }
    const own = { model: { ...model, name: 'f', arn: 'arn:f' }, folder, environment, log, maxInstances: 2, limiter }
    const one = localFunction(own)
    functions.push(one)
    await expect(one.invoke({})).rejects.toThrow('no thread')
    expect(await one.invoke({ n: 7 })).toBe(7)
  })

  test('serve callers in turn, each in its own order, so that none waits for the flood of another', async () => {
    const [one] = newFunctions(1, 1, 1) as [LocalFunction]
    const ends: string[] = []
    const from = (caller: string, name: string) =>
      one.invoke({ headers: { authorization: caller } }).then(() => ends.push(name))
    const flood = Array.from({ length: 5 }, (_, n) => from('loud', `loud ${n}`))
    await Promise.all([...flood, from('quiet', 'quiet 0'), from('quiet', 'quiet 1'), from('other', 'other 0')])
    expect(ends).toEqual([...['loud 0', 'loud 1', 'quiet 0', 'other 0', 'loud 2', 'quiet 1', 'loud 3', 'loud 4']])
  })

  test('start no instance once they are closed, whatever still waits', async () => {
    const [one] = newFunctions(1, 1) as [LocalFunction]
    const starting = new Promise(done => process.once('worker', done))
    const outcomes = Promise.allSettled(Array.from({ length: 3 }, () => one.invoke({ ms: 10_000 })))
    await starting
    await one.close()
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    await expect(one.invoke({})).rejects.toThrow('the function is closed')
    expect([started, alive]).toEqual([1, 0])
  })
})
