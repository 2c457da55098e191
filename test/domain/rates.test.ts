import { changeLimits } from '../../lib/tool/quotas.ts'
import { countOne } from '../../shared/merchants/rates.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { call, newShop } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { sampleInFastLane } from '../support/sampling.ts'

// The beginning of a window, of the longer kind too.
const start = Math.ceil(Date.now() / 600_000) * 600_000
const clock = useFakeClock(start)

let updates = 0
tableClient.middlewareStack.add(
  (next, { commandName }) =>
    args => {
      if (commandName === 'UpdateItemCommand') updates++
      return next(args)
    },
  { step: 'initialize', name: 'count' },
)

const rateOf = (owner: number, name: string) => getItem(key('rate', { owner, name }))

/** How many of so many requests, one after the other, are served. */
const served = async (send: () => Promise<unknown>, count: number): Promise<number> => {
  let passed = 0
  for (let n = 0; n < count; n++)
    passed += (await send().then(
      () => 1,
      () => 0,
    )) as number
  return passed
}

test('a merchant with more requests than its quota waits for the next window, and nobody else does', async () => {
  const [loud, quiet] = [await newShop('Laut'), await newShop('Leise')]
  await changeLimits(loud.id, { requests: 3 })
  const answers = []
  for (let n = 0; n < 40; n++) answers.push(await loud.call('check/login'))
  clock.now += 4000
  const refused = await loud.call('check/login')
  expect([refused.status, refused.json.code, refused.json.error]).toEqual([429, 429, 'quota_exceeded'])
  expect(refused.json.details).toBe('The merchant may have at most 3 requests a second. Repeat the request later.')
  expect(refused.json.fields).toBeUndefined()
  expect(refused.headers.get('retry-after')).toBe('6')
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  expect((await quiet.call('check/login')).status).toBe(200)
  // Other routes of the merchant wait as well, be it in the same instance or by the common count.
  expect((await loud.call('addresses/getAll')).status).toBe(429)
  clock.now += 6000
  expect((await loud.call('check/login')).status).toBe(200)
})

test('by default 2,000 requests in ten seconds are served, and a few cost no write', async () => {
  const { id } = await newShop()
  const before = updates
  expect(await served(() => countOne(id, 'requests'), 19)).toBe(19)
  expect(updates).toBe(before)
  expect(await served(() => countOne(id, 'requests'), 1981)).toBe(1981)
  // One for each hundredth, and one more that begins the window.
  expect(updates - before).toBe(101)
  expect(await served(() => countOne(id, 'requests'), 5)).toBe(0)
  clock.now += 1000
  expect(await served(() => countOne(id, 'requests'), 5)).toBe(0)
  // The served requests, reported to all instances, and the one that asked.
  expect(await rateOf(id, 'requests')).toMatchObject({ count: 2001 })
  expect(updates - before).toBe(102)
})

test('what other instances have counted counts', async () => {
  const { id } = await newShop()
  clock.now = Math.ceil(clock.now / 10_000) * 10_000
  await served(() => countOne(id, 'requests'), 20)
  await updateItem(key('rate', { owner: id, name: 'requests' }), { add: { count: 1980 } })
  expect(await served(() => countOne(id, 'requests'), 3)).toBe(3)
  clock.now += 1000
  expect(await served(() => countOne(id, 'requests'), 3)).toBe(0)
})

test('an instance whose clock is late does not set the count back', async () => {
  const { id } = await newShop()
  clock.now = Math.ceil(clock.now / 10_000) * 10_000
  const window = clock.now / 10_000
  await updateItem(key('rate', { owner: id, name: 'requests' }), { set: { window: window + 1, count: 7 } })
  expect(await served(() => countOne(id, 'requests'), 25)).toBe(25)
  expect(await rateOf(id, 'requests')).toEqual({ window: window + 1, count: 7 })
})

test('a limit that the operator sets counts in the next window at the latest', async () => {
  const { id } = await newShop()
  clock.now = Math.ceil(clock.now / 10_000) * 10_000
  await served(() => countOne(id, 'requests'), 25)
  await changeLimits(id, { requests: 2 })
  clock.now += 10_000
  expect(await served(() => countOne(id, 'requests'), 30)).toBe(20)
  await changeLimits(id, { requests: null })
  clock.now += 10_000
  expect(await served(() => countOne(id, 'requests'), 100)).toBe(100)
})

test('a limit that the operator raises counts at once, though the window is long', async () => {
  const { id } = await newShop()
  clock.now = Math.ceil(clock.now / 600_000) * 600_000
  await changeLimits(id, { sessions: 72 })
  await served(() => countOne(id, 'sessions'), 25)
  expect(await served(() => countOne(id, 'sessions'), 5)).toBe(0)
  await changeLimits(id, { sessions: 72 * 100 })
  clock.now += 1000
  expect(await served(() => countOne(id, 'sessions'), 5)).toBe(5)
})

test('a merchant that opens too many sessions has to wait; a wrong credential is refused as before', async () => {
  const shop = await newShop()
  clock.now = Math.ceil(clock.now / 600_000) * 600_000
  // 72 windows of ten minutes: 30 in each.
  await changeLimits(shop.id, { sessions: 72 * 30 })
  const login = (token = shop.apiToken) => call('/service/login', { authid: shop.authid, token })
  const answers = []
  for (let n = 0; n < 35; n++) answers.push(await login())
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  const last = answers.at(-1)
  expect([last?.status, last?.json.error, last?.headers.get('retry-after')]).toEqual([429, 'quota_exceeded', '600'])
  expect((await login('wrong')).json.error).toBe('credentials_invalid')
  // Open sessions continue.
  expect((await shop.call('check/login')).status).toBe(200)
  clock.now += 600_000
  expect((await login()).status).toBe(200)
})

describe('a small limit is exact', () => {
  type Rates = { countOne: typeof countOne }

  /** The number of served requests, round by round, of concurrent requests to instances with separate memory. */
  const spread = async (limit: number, instances: number, rounds: number): Promise<number> => {
    const { id } = await newShop()
    await changeLimits(id, { requests: limit })
    const all: Rates[] = await Promise.all(
      counted(instances).map(n => import(`../../shared/merchants/rates.ts?instance=${id}-${n}`)),
    )
    clock.now = Math.ceil(clock.now / 10_000) * 10_000
    let passed = 0
    for (const _ of counted(rounds)) {
      clock.now += 500
      const round = await Promise.all(all.map(rates => served(() => rates.countOne(id, 'requests'), 1)))
      passed += round.reduce((sum, one) => sum + one, 0)
    }
    return passed
  }

  const spreads: [number, number, number, number][] = [
    [1, 32, 10, 10],
    [5, 32, 10, 50],
    [5, 1, 15, 15],
    [1, 64, 10, 10],
  ]
  test.each(
    sampleInFastLane(spreads, 2),
  )('of %i a second: in %i instances, asked %i times each, %i are served', async (limit, instances, rounds, expected) => {
    expect(await spread(limit, instances, rounds)).toBe(expected)
  })
})
