import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { type LocalFunction, localFunction } from '../../lib/twin/lambda/function.ts'
import { createRoom, type Place, type Room } from '../../lib/twin/lambda/room.ts'

describe('places', () => {
  const names: string[] = []
  const places: Record<string, Place> = {}
  /** A place that its instance has loaded in at once, unless `load` says otherwise. */
  const ask = (room: Room, since: number, name: string, { isFirst = true, load = true } = {}) =>
    room.ask({
      since,
      isFirst,
      take: place => {
        names.push(name)
        places[name] = place
        if (load) place.loaded()
      },
    })
  beforeEach(() => {
    names.length = 0
  })
  /** Lets one rest; when it is ended it leaves at once. */
  const rest = (name: string) =>
    places[name]?.rest(() => {
      names.push(`-${name}`)
      places[name]?.leave()
    })

  test('are handed over while there are any, then as they are left, to who has waited longest', () => {
    const room = createRoom(1)
    ask(room, 1, 'a')
    ask(room, 5, 'd')
    ask(room, 3, 'b')
    ask(room, 3, 'c')
    expect(names).toEqual(['a'])
    for (const name of ['a', 'b', 'c']) places[name]?.leave()
    expect(names).toEqual(['a', 'b', 'c', 'd'])
  })

  test('of those that rest, the one that has rested longest makes room, as many as are asked for', () => {
    const room = createRoom(3)
    for (const name of ['a', 'b', 'c']) ask(room, 1, name)
    rest('b')
    rest('a')
    rest('c')
    places.a?.work()
    ask(room, 2, 'd')
    ask(room, 2, 'e')
    ask(room, 2, 'f')
    expect(names).toEqual(['a', 'b', 'c', '-b', 'd', '-c', 'e'])
    rest('a')
    expect(names.slice(7)).toEqual(['-a', 'f'])
  })

  test('are left when an instance is gone, not when it is told to go', () => {
    const room = createRoom(1)
    ask(room, 1, 'a')
    places.a?.rest(() => names.push('-a'))
    ask(room, 2, 'b')
    expect([names, room.isAwaited(3)]).toEqual([['a', '-a'], false])
    places.a?.leave()
    expect(names).toEqual(['a', '-a', 'b'])
  })

  test('are not handed over to who withdrew', () => {
    const room = createRoom(1)
    ask(room, 1, 'a')
    const withdraw = ask(room, 2, 'b')
    expect([room.isAwaited(3), room.isAwaited(2)]).toEqual([true, false])
    withdraw()
    expect(room.isAwaited(3)).toBe(false)
    rest('a')
    expect(names).toEqual(['a'])
  })
})

describe('of those who ask for places', () => {
  const names: string[] = []
  const places: Place[] = []
  const ask = (room: Room, since: number, name: string, isFirst = true) =>
    room.ask({
      since,
      isFirst,
      take: place => {
        names.push(name)
        places.push(place)
      },
    })
  beforeEach(() => {
    names.length = places.length = 0
  })

  test('functions without any instance come first, and nobody else is waited for by who is busy', () => {
    const room = createRoom(1)
    ask(room, 1, 'a')
    places[0]?.loaded()
    ask(room, 2, 'more of a', false)
    expect(room.isAwaited(9)).toBe(false)
    ask(room, 3, 'b')
    expect([room.isAwaited(3), room.isAwaited(4)]).toEqual([false, true])
    places[0]?.leave()
    places[1]?.leave()
    expect(names).toEqual(['a', 'b', 'more of a'])
  })

  test('only so many load at once, and nobody is ended for who may not load yet', () => {
    const room = createRoom(3, 1)
    ask(room, 1, 'a')
    ask(room, 2, 'b')
    ask(room, 3, 'c')
    ask(room, 4, 'd')
    expect(names).toEqual(['a'])
    places[0]?.loaded()
    expect(names).toEqual(['a', 'b'])
    places[0]?.rest(() => names.push('-a'))
    places[1]?.loaded()
    expect(names).toEqual(['a', 'b', 'c'])
    places[2]?.leave()
    expect(names).toEqual(['a', 'b', 'c', 'd'])
    ask(room, 5, 'e')
    expect(names).toHaveLength(4)
    places[3]?.loaded()
    expect(names).toEqual(['a', 'b', 'c', 'd', '-a'])
  })
})

describe('functions that share a room', () => {
  let folder: string
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
    folder = await mkdtemp(join(tmpdir(), 'weinkontor-room-'))
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
  afterAll(async () => {
    process.off('worker', count)
    await rm(folder, { recursive: true, force: true })
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
  const newFunctions = (number: number, places: number, maxInstances = 2): LocalFunction[] => {
    const room = createRoom(places)
    const made = Array.from({ length: number }, (_, n) =>
      localFunction({
        model: { ...model, name: `f${n}`, arn: `arn:f${n}` },
        folder,
        environment: () => ({}),
        log,
        maxInstances,
        room,
      }),
    )
    functions.push(...made)
    return made
  }
  const at = <T>(all: readonly T[], n: number): T => all[n % all.length] as T

  test('have no more instances than it has places, and every event is served, in whatever order', async () => {
    const made = newFunctions(12, 3)
    const values = await Promise.all(Array.from({ length: 30 }, (_, n) => at(made, n).invoke({ n, ms: n % 3 })))
    expect(values).toEqual(Array.from({ length: 30 }, (_, n) => n))
    expect(most).toBe(3)
  })

  test('give places up between their own events, so that nobody is kept waiting by who is always busy', async () => {
    const [busy, other] = newFunctions(2, 1) as [LocalFunction, LocalFunction]
    const ends: string[] = []
    const first = Array.from({ length: 3 }, () => busy.invoke({ ms: 20 }))
    const guest = other.invoke({}).then(() => ends.push('guest'))
    const later = Array.from({ length: 3 }, () => busy.invoke({ ms: 20 }).then(() => ends.push('busy')))
    await Promise.all([...first, guest, ...later])
    expect(ends).toEqual(['guest', 'busy', 'busy', 'busy'])
    expect(most).toBe(1)
  })

  test('keep their instances while nobody else needs the place', async () => {
    const [one] = newFunctions(2, 1, 1) as [LocalFunction]
    for (let n = 0; n < 3; n++) await one.invoke({})
    await Promise.all([one.invoke({}), one.invoke({}), one.invoke({})])
    expect(started).toBe(1)
  })

  test('leave their places when they crash', async () => {
    const made = newFunctions(3, 1)
    for (const one of made) await expect(one.invoke({ fail: true })).rejects.toThrow('exited with code 1')
    expect(await made[0]?.invoke({ n: 7 })).toBe(7)
  })

  test('fail the event that an instance cannot be started for, and the next finds the place', async () => {
    const room = createRoom(1)
    let failures = 1
    const environment = () => {
      if (failures-- > 0) throw new Error('no thread')
      return {}
    }
    const own = { model: { ...model, name: 'f', arn: 'arn:f' }, folder, environment, log, maxInstances: 2, room }
    const one = localFunction(own)
    functions.push(one)
    await expect(one.invoke({})).rejects.toThrow('no thread')
    expect(await one.invoke({ n: 7 })).toBe(7)
  })

  test('serve callers in turn, each in its own order, so that nobody waits for the flood of another', async () => {
    const [one] = newFunctions(1, 1, 1) as [LocalFunction]
    const ends: string[] = []
    const from = (caller: string, name: string) =>
      one.invoke({ headers: { authorization: caller } }).then(() => ends.push(name))
    const flood = Array.from({ length: 5 }, (_, n) => from('loud', `loud ${n}`))
    await Promise.all([...flood, from('quiet', 'quiet 0'), from('quiet', 'quiet 1'), from('other', 'other 0')])
    expect(ends).toEqual([...['loud 0', 'loud 1', 'quiet 0', 'other 0', 'loud 2', 'quiet 1', 'loud 3', 'loud 4']])
  })

  test('start nothing any more once they are closed, whatever still waits', async () => {
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
