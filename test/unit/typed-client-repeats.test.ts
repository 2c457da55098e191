import { mock } from 'node:test'
import fc from 'fast-check'
import { type Attempt, ConnectionError, isError, type Path, WeinkontorError } from '../../lib/client/index.ts'
import { waitBefore } from '../../lib/client/repeat.ts'
import { sender } from '../../lib/client/request.ts'
import { routes } from '../../lib/client/traits.ts'
import { fakeService, mockTime, type Reply, refusal } from '../support/fake-service.ts'

const { passing } = mockTime()

const paths = Object.keys(routes) as Path[]

/** A call of any route; what it is sent does not matter to the fake service. */
const callOf = (client: ReturnType<typeof fakeService>['client'], path: Path) =>
  (client.call as (path: Path, body: object) => Promise<unknown>)(path, { path: 'de' })

const repliesTo = (path: Path, reply: Reply, retries = 3) => {
  const { client, sent } = fakeService(
    request => (request.path === '/service/login' && path !== request.path ? undefined : reply),
    { retries },
  )
  const tries = () => sent.filter(one => one.path !== '/service/login' || path === '/service/login')
  return { call: () => passing(callOf(client, path)), tries }
}

const gateway: Reply = { status: 503, body: { message: 'Service Unavailable' } }
const uncertain: Record<string, Reply> = {
  'a lost answer': 'lost',
  internal_error: refusal(500, 'internal_error'),
  payment_provider_timeout: refusal(504, 'payment_provider_timeout'),
  // It may come after a write of which the table did not say whether it was done.
  temporarily_unavailable: refusal(503, 'temporarily_unavailable', { 'retry-after': '1' }),
  'a 503 of the gateway': gateway,
}

test.each(Object.entries(uncertain))('after %s a route is repeated if it is safe, else not', async (_, reply) => {
  for (const path of paths) {
    const { call, tries } = repliesTo(path, reply)
    expect((await call()).error).toBeInstanceOf(reply === 'lost' ? ConnectionError : WeinkontorError)
    expect([path, tries().length]).toEqual([path, routes[path].repeat ? 4 : 1])
  }
})

test('every route is repeated after a 429, after its Retry-After', async () => {
  for (const path of paths) {
    const { call, tries } = repliesTo(path, refusal(429, 'quota_exceeded', { 'retry-after': '3' }), 2)
    const { error, waited } = await call()
    expect(error).toMatchObject({ word: 'quota_exceeded', retryAfter: 3 })
    expect([path, tries().length]).toEqual([path, 3])
    expect(waited).toBeGreaterThanOrEqual(6_000)
  }
})

test.each([400, 404, 409, 422])('no route is repeated after a %i', async status => {
  for (const path of paths) {
    const { call, tries } = repliesTo(path, refusal(status, 'validation_failed', { 'retry-after': '1' }))
    expect((await call()).error).toMatchObject({ path, status })
    expect([path, tries().length]).toEqual([path, 1])
  }
})

test('a call that succeeds after repeats returns its answer', async () => {
  const replies: Reply[] = ['lost', gateway, refusal(500, 'internal_error')]
  const { client, sent } = fakeService(() => replies.shift() ?? { body: { info: 'success', data: [] } })
  expect((await passing(client.call('/wines/search'))).value).toEqual({ info: 'success', data: [] })
  expect(sent).toHaveLength(4)
})

test('a Retry-After of more than 30 seconds rejects without a repeat', async () => {
  const { call, tries } = repliesTo('/wines/search', refusal(429, 'quota_exceeded', { 'retry-after': '31' }))
  expect(await call()).toMatchObject({ error: { retryAfter: 31 }, waited: expect.any(Number) })
  expect(tries()).toHaveLength(1)
})

test('retries is the number of repeats', async () => {
  for (const retries of [0, 1, 5]) {
    const { call, tries } = repliesTo('/wines/search', 'lost', retries)
    await call()
    expect(tries()).toHaveLength(retries + 1)
  }
})

test('timeout and retries of a call replace those of the client', async () => {
  const { client, sent } = fakeService(() => 'silent', { retries: 0, timeout: 60_000 })
  const { error, waited } = await passing(client.call('/wines/search', {}, { retries: 2, timeout: 1_000 }))
  expect([sent.length, (error as Error).message]).toEqual([
    3,
    '/wines/search: no answer from wine.example (none within 1000 ms)',
  ])
  expect(waited).toBeLessThan(5_000)
  await passing(client.call('/wines/search'))
  expect(sent).toHaveLength(4)
})

test('onAttempt receives every attempt, sign-ins included, and its number', async () => {
  const attempts: Attempt[] = []
  const replies: Reply[] = ['lost', refusal(429, 'quota_exceeded'), refusal(401, 'token_expired')]
  const { client } = fakeService(({ path }) => (path === '/service/login' ? undefined : replies.shift()), {
    onAttempt: attempt => attempts.push(attempt),
  })
  await passing(client.call('/service/wines/search'))
  expect(attempts.map(({ ms, ...rest }) => Object.values(rest))).toEqual([
    ['/service/login', 'POST', 200, 1, undefined],
    ['/service/wines/search', 'POST', undefined, 1, undefined],
    ['/service/wines/search', 'POST', 429, 2, 'r-1'],
    ['/service/wines/search', 'POST', 401, 3, 'r-1'],
    ['/service/login', 'POST', 200, 1, undefined],
    ['/service/wines/search', 'POST', 200, 4, undefined],
  ])
})

test('onAttempt receives the duration of an attempt in milliseconds', async () => {
  const attempts: Attempt[] = []
  const onAttempt = (attempt: Attempt) => attempts.push(attempt)
  await passing(fakeService(() => 'silent', { retries: 0, timeout: 2_000, onAttempt }).client.call('/wines/search'))
  expect(attempts.map(({ ms }) => ms)).toEqual([2_000])
})

test('the time before a repeat is random, at most 200 ms, twice as much each time, and at most 5 s', () => {
  const lost = new ConnectionError('/wines/search', 'wine.example', 'lost')
  fc.assert(
    fc.property(fc.nat(20), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (tried, chance) => {
      const random = Math.random
      Math.random = () => chance
      try {
        const wait = waitBefore(lost, { tried, retries: 21, isSafe: true }) as number
        expect(wait).toBeCloseTo(chance * Math.min(5000, 200 * 2 ** tried))
      } finally {
        Math.random = random
      }
    }),
  )
})

describe('the Idempotency-Key of orders/add', () => {
  const keys = ({ to }: Pick<ReturnType<typeof fakeService>, 'to'>) =>
    to('/service/orders/add').map(({ headers }) => headers.get('idempotency-key'))
  const add = (service: ReturnType<typeof fakeService>, options?: { idempotencyKey: string }) =>
    passing(service.client.call('/service/orders/add', { data: { billing_id: 1, items: [] } }, options))

  test('is the same for all repeats of a call, and another for each call', async () => {
    const replies: Reply[] = ['lost', gateway, refusal(401, 'token_expired')]
    const service = fakeService(({ path }) => (path === '/service/orders/add' ? replies.shift() : undefined))
    await add(service)
    await add(service)
    const [first, second, third, fourth, other] = keys(service)
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect([second, third, fourth]).toEqual([first, first, first])
    expect(other).toMatch(/^[0-9a-f-]{36}$/)
    expect(other).not.toBe(first)
  })

  test('is the given one', async () => {
    const service = fakeService()
    await add(service, { idempotencyKey: 'basket 12' })
    expect(keys(service)).toEqual(['basket 12'])
  })

  test('is made without crypto.randomUUID as well, as by Node 18', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
    try {
      const service = fakeService()
      for (let n = 0; n < 100; n++) await add(service)
      const made = keys(service)
      expect(new Set(made).size).toBe(100)
      for (const key of made) expect(key).toMatch(/^[0-9a-z-]{20,255}$/)
    } finally {
      Object.defineProperty(globalThis, 'crypto', own)
    }
  })

  test('is for no other route, and nothing is sent that carries one in vain', async () => {
    const { client, sent } = fakeService()
    const { error } = await passing(client.call('/wines/search', {}, { idempotencyKey: 'k' }))
    expect(error).toBeInstanceOf(TypeError)
    await passing(client.call('/wines/search'))
    expect(sent.map(({ headers }) => headers.has('idempotency-key'))).toEqual([false])
  })
})

describe('a silent service', () => {
  test('is given up after the timeout, on each attempt', async () => {
    const { client, sent } = fakeService(() => 'silent', { timeout: 2_000, retries: 2 })
    const { error, waited } = await passing(client.call('/wines/search'))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ path: '/wines/search', cause: { message: 'none within 2000 ms' } })
    expect(sent).toHaveLength(3)
    expect(waited).toBeGreaterThanOrEqual(6_000)
  })

  test('is given up after 30 seconds by default', async () => {
    const { client } = fakeService(() => 'silent', { retries: 0 })
    const { waited } = await passing(client.call('/wines/search'))
    expect(Math.round(waited / 1000)).toBe(30)
  })
})

describe('a fetch that ignores the signal', () => {
  const never: typeof fetch = () => new Promise(() => {})

  test('is given up after the timeout', async () => {
    const { client } = fakeService(undefined, { fetch: never, timeout: 2_000, retries: 0 })
    const { error, waited } = await passing(client.call('/wines/search'))
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'none within 2000 ms' } })
    expect(waited).toBeLessThan(3_000)
  })

  test('is given up when the caller’s signal aborts', async () => {
    const stop = new AbortController()
    const { client } = fakeService(undefined, { fetch: never })
    setTimeout(() => stop.abort(new Error('enough')), 1_000)
    const { error } = await passing(client.call('/wines/search', {}, { signal: stop.signal }))
    expect(error).toEqual(new Error('enough'))
  })
})

test.each([Number.POSITIVE_INFINITY, 2 ** 31])('a timeout of %d lets an answer arrive', async timeout => {
  const warnings: string[] = []
  const warn = ({ name }: Error) => warnings.push(name)
  process.on('warning', warn)
  mock.timers.reset()
  const slow: typeof fetch = () =>
    new Promise(resolve => setTimeout(() => resolve(Response.json({ info: 'success' })), 20))
  const { client } = fakeService(undefined, { fetch: slow, timeout, retries: 0 })
  expect(await client.call('/wines/search')).toEqual({ info: 'success' })
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

describe('the signal of a caller', () => {
  const reason = new Error('enough')

  test('ends a request that is under way', async () => {
    const stop = new AbortController()
    const { client, sent } = fakeService(() => {
      setTimeout(() => stop.abort(reason), 100)
      return 'silent'
    })
    expect((await passing(client.call('/wines/search', {}, { signal: stop.signal }))).error).toBe(reason)
    expect(sent).toHaveLength(1)
  })

  test('rejects with its reason for a route that is not repeated as well', async () => {
    const stop = new AbortController()
    const { client } = fakeService(({ path }) => {
      if (path === '/service/login') return undefined
      setTimeout(() => stop.abort(reason), 100)
      return 'silent'
    })
    expect((await passing(client.call('/service/baskets/add', {}, { signal: stop.signal }))).error).toBe(reason)
  })

  test('ends the call if fetch ignores it', async () => {
    const stop = new AbortController()
    const { client, sent } = fakeService(() => {
      stop.abort(reason)
      return refusal(429, 'quota_exceeded', { 'retry-after': '20' })
    })
    const { error, waited } = await passing(client.call('/wines/search', {}, { signal: stop.signal }))
    expect(error).toBe(reason)
    expect(waited).toBeLessThan(1_000)
    expect(sent).toHaveLength(1)
  })

  test('ends the wait before a repeat', async () => {
    const stop = new AbortController()
    const { client, sent } = fakeService(() => {
      setTimeout(() => stop.abort(reason), 1_000)
      return refusal(429, 'quota_exceeded', { 'retry-after': '20' })
    })
    const { error, waited } = await passing(client.call('/wines/search', {}, { signal: stop.signal }))
    expect(error).toBe(reason)
    expect(waited).toBeLessThan(2_000)
    expect(sent).toHaveLength(1)
  })

  test('that has already aborted prevents the request', async () => {
    const { client, sent } = fakeService()
    const signal = AbortSignal.abort(reason)
    expect((await passing(client.call('/service/wines/search', {}, { signal }))).error).toBe(reason)
    expect((await passing(client.call('/wines/search', {}, { signal }))).error).toBe(reason)
    expect(sent).toEqual([])
  })

  test('that aborts immediately before the request prevents it', async () => {
    let sent = 0
    const send = sender(async () => {
      sent++
      return new Response('{}')
    })
    const request = { path: '/', url: 'https://wine.example', method: 'GET', headers: new Headers(), body: undefined }
    const once = { signal: AbortSignal.abort(reason), timeout: 1_000, attempt: 1 }
    await expect(send({ ...request, method: 'GET' }, once)).rejects.toBe(reason)
    expect(sent).toBe(0)
  })

  test('has no listener after its call', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener: add, removeEventListener: remove } = signal
    signal.addEventListener = ((...all: Parameters<typeof add>) => {
      listeners++
      add.apply(signal, all)
    }) as typeof add
    signal.removeEventListener = ((...all: Parameters<typeof remove>) => {
      listeners--
      remove.apply(signal, all)
    }) as typeof remove
    const replies: Reply[] = ['lost', refusal(401, 'token_invalid')]
    const { client } = fakeService(({ path }) => (path === '/service/wines/search' ? replies.shift() : undefined))
    await passing(client.call('/service/wines/search', {}, { signal }))
    expect(listeners).toBe(0)
  })
})

test('a call that is over leaves no timer behind, which would keep a program from ending', async () => {
  const waiting = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  globalThis.setTimeout = ((act: () => void, milliseconds: number) => {
    const timer = set(() => {
      waiting.delete(timer)
      act()
    }, milliseconds)
    waiting.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = (timer => {
    waiting.delete(timer)
    clear(timer)
  }) as typeof clearTimeout
  try {
    const stop = new AbortController()
    const replies: Reply[] = ['lost', refusal(500, 'internal_error'), refusal(429, 'x', { 'retry-after': '20' })]
    const { client, sent } = fakeService(() => {
      if (replies.length === 1) set(() => stop.abort(), 1_000)
      return replies.shift()
    })
    await passing(client.call('/wines/search', {}, { signal: stop.signal }))
    expect([sent.length, stop.signal.aborted]).toEqual([3, true])
    await passing(client.call('/wines/search'))
    expect(waiting.size).toBe(0)
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
  }
})

test('isError takes a failure of the connection for no refusal', () => {
  expect(isError(new ConnectionError('/wines/search', 'wine.example', 'lost'))).toBe(false)
})
