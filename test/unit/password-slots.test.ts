import { withPasswordSlot } from '../../shared/clients/passwords.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { counted } from '../support/partitions.ts'

const [one, other] = [merchantIdOf(1), merchantIdOf(2)]

/** Computations that the test ends, and the list of those that have begun. */
const computations = () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const compute = (name: string) => () => {
    begun.push(name)
    return new Promise<string>(done => ends.set(name, () => done(name)))
  }
  return { begun, compute, end: (name: string) => ends.get(name)?.() }
}

const settled = () => new Promise(done => setImmediate(done))

test('four passwords of a merchant are hashed concurrently, the others in their order, and no other merchant waits for them', async () => {
  const { begun, compute, end } = computations()
  const names = counted(7).map(n => `a${n}`)
  const running = names.map(name => withPasswordSlot(one, compute(name)))
  running.push(withPasswordSlot(other, compute('b')))
  await settled()
  expect(begun).toEqual([...names.slice(0, 4), 'b'])
  for (const name of ['b', ...names]) {
    end(name)
    await settled()
  }
  expect(begun).toEqual([...names.slice(0, 4), 'b', ...names.slice(4)])
  expect(await Promise.all(running)).toEqual([...names, 'b'])
})

test('a failed computation releases its slot', async () => {
  const fail = () => Promise.reject(new Error('no'))
  for (const _ of counted(5)) await expect(withPasswordSlot(one, fail)).rejects.toThrow('no')
  expect(await withPasswordSlot(one, async () => 'computed')).toBe('computed')
})

describe('a minute after the instance started', () => {
  const { now } = Date
  beforeAll(() => {
    Date.now = () => now() + 60_000
  })
  afterAll(() => {
    Date.now = now
  })

  test('a request is refused 3 seconds after its arrival, and the next request gets its turn', async () => {
    const { begun, compute, end } = computations()
    const names = ['a1', 'a2', 'a3', 'a4']
    const running = names.map(name => withPasswordSlot(one, compute(name)))
    const early = withPasswordSlot(one, compute('early'), Date.now() - 2980)
    const late = withPasswordSlot(one, compute('late'))
    await expect(early).rejects.toBeInstanceOf(Unavailable)
    expect(begun).toEqual(names)
    end('a2')
    await settled()
    expect(begun).toEqual([...names, 'late'])
    for (const name of [...names, 'late']) end(name)
    expect(await Promise.all([...running, late])).toEqual([...names, 'late'])
  })

  test('a request that arrived more than 3 seconds ago is refused without hashing', async () => {
    const { begun, compute } = computations()
    await expect(withPasswordSlot(one, compute('old'), Date.now() - 3001)).rejects.toBeInstanceOf(Unavailable)
    expect(begun).toEqual([])
  })
})
