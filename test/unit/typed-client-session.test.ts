import { ConnectionError, isError, type Session, WeinkontorError } from '../../lib/client/index.ts'
import { fakeService, mockTime, type Reply, refusal, type Sent, signedIn } from '../support/fake-service.ts'

const { passing, pass } = mockTime()

const search = '/service/wines/search'
const bearers = (sent: readonly Sent[]) => sent.map(({ headers }) => headers.get('authorization'))

const storeOf = (first?: Session) => {
  let kept = first
  const set: Session[] = []
  return {
    set: async (session: Session) => {
      kept = session
      set.push(session)
    },
    get: async () => kept,
    /** The sessions that were put in. */
    puts: set,
  }
}

/** Answers that refuse some session tokens. */
const refusing =
  (word: string, ...tokens: string[]) =>
  ({ headers }: Sent): Reply | undefined =>
    tokens.some(token => headers.get('authorization') === `Bearer ${token}`) ? refusal(401, word) : undefined

describe('a session', () => {
  test('is opened once for 64 calls at the same time', async () => {
    const { client, to } = fakeService()
    await passing(Promise.all(Array.from({ length: 64 }, () => client.call(search))))
    expect(to('/service/login').map(({ body }) => body)).toEqual([{ authid: 'a', token: 't' }])
    expect(bearers(to(search))).toEqual(Array(64).fill('Bearer s1'))
  })

  test('is shared with the clients that are made for clients of the merchant', async () => {
    const { client, to } = fakeService()
    await passing(
      Promise.all([client.call(search), client.forClient('c1').call(search), client.forClient('c2').call(search)]),
    )
    expect(to('/service/login')).toHaveLength(1)
    expect(to(search).map(({ headers }) => headers.get('client-authorization'))).toEqual([null, 'c1', 'c2'])
  })

  test('is sent with the token of a client for one call, before that of the client it is called on', async () => {
    const { client, to } = fakeService()
    await passing(client.call(search, {}, { clientToken: 'c1' }))
    await passing(client.forClient('c2').call(search, {}, { clientToken: 'c3' }))
    await passing(client.forClient('c2').call('/service/customers/getMy'))
    expect(to(search).map(({ headers }) => headers.get('client-authorization'))).toEqual(['c1', 'c3'])
    expect(to('/service/customers/getMy')[0]?.headers.has('client-authorization')).toBe(false)
  })

  test('is renewed five minutes before it expires, not earlier', async () => {
    const { client, to } = fakeService()
    await passing(client.call(search))
    pass(12 * 3600_000 - 6 * 60_000)
    await passing(client.call(search))
    expect(to('/service/login')).toHaveLength(1)
    pass(60_000)
    await passing(Promise.all([client.call(search), client.call(search)]))
    expect(bearers(to(search))).toEqual(['Bearer s1', 'Bearer s1', 'Bearer s2', 'Bearer s2'])
  })

  test.each([
    'token_invalid',
    'token_expired',
    'token_malformed',
  ])('that is refused with %s is renewed once for all calls', async word => {
    const { client, to } = fakeService(refusing(word, 's1'))
    await passing(Promise.all(Array.from({ length: 64 }, () => client.call(search))))
    expect(to('/service/login')).toHaveLength(2)
    expect(bearers(to(search)).filter(one => one === 'Bearer s2')).toHaveLength(64)
  })

  test('that is refused twice rejects the call', async () => {
    const { client, to } = fakeService(refusing('token_invalid', 's1', 's2'))
    const { error } = await passing(client.call(search))
    expect(isError(error, 'token_invalid')).toBe(true)
    expect([to('/service/login').length, to(search).length]).toEqual([2, 2])
  })

  test('is renewed after a repeat as well, which does not use up the retries', async () => {
    const answers: Reply[] = ['lost', refusal(401, 'token_invalid'), 'lost', 'lost']
    const { client, to } = fakeService(({ path }) => (path === search ? answers.shift() : undefined))
    const { error } = await passing(client.call(search))
    expect(error).toBeUndefined()
    expect([to('/service/login').length, to(search).length]).toEqual([2, 5])
  })

  test('is used for a minute after the sign-in, even if the clock of the machine is wrong', async () => {
    const { client, to } = fakeService(({ path }) =>
      path === '/service/login'
        ? { body: { info: 'success', token: 's', refreshToken: '', expires: '2020-01-01 00:00:00' } }
        : undefined,
    )
    for (let n = 0; n < 10; n++) await passing(client.call(search))
    expect(to('/service/login')).toHaveLength(1)
    pass(60_000)
    await passing(client.call(search))
    expect(to('/service/login')).toHaveLength(2)
  })

  test('that is being renewed delays other calls, which do not send the refused token', async () => {
    const late: Promise<unknown>[] = []
    const service = fakeService(request => {
      const isSecond = request.path === '/service/login' && late.length === 0 && service.to(search).length > 0
      if (isSecond) late.push(service.client.call(search), service.client.call(search))
      return refusing('token_invalid', 's1')(request)
    })
    await passing(service.client.call(search))
    await passing(Promise.all(late))
    expect(bearers(service.to(search))).toEqual(['Bearer s1', 'Bearer s2', 'Bearer s2', 'Bearer s2'])
  })

  test('that one caller no longer waits for is opened for the others', async () => {
    const { client, to } = fakeService()
    const stop = new AbortController()
    const stopped = client.call(search, {}, { signal: stop.signal })
    const other = client.call(search)
    stop.abort(new Error('enough'))
    expect(await passing(stopped)).toMatchObject({ error: { message: 'enough' } })
    expect((await passing(other)).error).toBeUndefined()
    expect([to('/service/login').length, to(search).length]).toEqual([1, 1])
  })
})

describe('the store of a session', () => {
  const future = '2026-01-01 08:00:00'

  test('gives the session that it holds, and no sign-in is needed', async () => {
    const { client, to } = fakeService(undefined, { session: storeOf({ token: 'kept', expires: future }) })
    await passing(Promise.all([client.call(search), client.call(search)]))
    expect(to('/service/login')).toHaveLength(0)
    expect(bearers(to(search))).toEqual(['Bearer kept', 'Bearer kept'])
  })

  test.each([
    undefined,
    { token: 'old', expires: '2026-01-01 00:04:00' },
  ])('holding %j gets the new session', async kept => {
    const session = storeOf(kept)
    const { client } = fakeService(undefined, { session })
    await passing(client.call(search))
    expect(session.puts).toEqual([{ token: 's1', expires: '2026-01-01 12:00:00' }])
  })

  test('is asked first when a token is refused: another process may have renewed it', async () => {
    const session = storeOf({ token: 'kept', expires: future })
    const { client, to } = fakeService(
      request => {
        const refused = refusing('token_invalid', 'kept')(request)
        if (refused) session.set({ token: 'of another', expires: future })
        return refused
      },
      { session },
    )
    await passing(client.call(search))
    expect(to('/service/login')).toHaveLength(0)
    expect(bearers(to(search))).toEqual(['Bearer kept', 'Bearer of another'])
  })

  test('that fails rejects the call; the next call uses the new session', async () => {
    const session = { ...storeOf(), set: () => Promise.reject(new Error('full')) }
    const { client, to } = fakeService(undefined, { session })
    expect(await passing(client.call(search))).toMatchObject({ error: { message: 'full' } })
    expect((await passing(client.call(search))).error).toBeUndefined()
    expect(to('/service/login')).toHaveLength(1)
  })
})

describe('a sign-in', () => {
  test.each([
    [401, 'credentials_invalid', {}],
    [429, 'login_throttled', { 'retry-after': '1' }],
  ])('that is refused (%i %s) rejects all waiting calls, and is not repeated', async (status, word, headers) => {
    const { client, sent } = fakeService(({ path }) =>
      path === '/service/login' ? refusal(status, word, headers as Record<string, string>) : undefined,
    )
    const calls = await passing(Promise.allSettled(Array.from({ length: 64 }, () => client.call(search))))
    for (const call of calls.value ?? []) {
      expect(call).toMatchObject({ status: 'rejected', reason: { path: '/service/login', word, status } })
      expect((call as PromiseRejectedResult).reason).toBeInstanceOf(WeinkontorError)
    }
    expect(sent).toHaveLength(1)
  })

  test('that fails transiently is repeated by itself, not by the waiting call', async () => {
    const { client, sent } = fakeService(() => 'lost', { retries: 2 })
    const { error } = await passing(client.call(search))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(sent.map(({ path }) => path)).toEqual(Array(3).fill('/service/login'))
  })

  test('that failed is tried again by the next call', async () => {
    let fails = true
    const { client } = fakeService(({ path }) =>
      path === '/service/login' && fails ? refusal(401, 'credentials_invalid') : undefined,
    )
    expect((await passing(client.call(search))).error).toBeDefined()
    fails = false
    expect((await passing(client.call(search))).error).toBeUndefined()
  })

  test('can be called like any route, and leaves the session as it is', async () => {
    const { client, to } = fakeService(({ body }) => (body?.authid === 'other' ? signedIn('other') : undefined))
    const { value } = await passing(client.call('/service/login', { authid: 'other', token: 'x' }))
    expect(value?.token).toBe('other')
    await passing(client.call(search))
    expect(bearers(to(search))).toEqual(['Bearer s1'])
  })
})

describe('without credentials', () => {
  test('public routes can be called, and carry neither session nor client', async () => {
    const { guest, client, sent } = fakeService()
    await passing(guest.call('/wines/search', { query: 'riesling' }))
    await passing(client.forClient('c1').call('/wines/search', { query: 'riesling' }))
    for (const { headers } of sent) expect([...headers.keys()]).toEqual(['content-type'])
    expect(sent.map(({ path }) => path)).toEqual(['/wines/search', '/wines/search'])
  })

  test('a route of the merchant is not called', async () => {
    const { guest, sent } = fakeService()
    expect(await passing(guest.call(search))).toMatchObject({
      error: { message: expect.stringMatching('authid and token') },
    })
    expect(sent).toEqual([])
  })

  test('a stored session is used, and its refusal rejects the call', async () => {
    const session = storeOf({ token: 'kept', expires: '2026-01-01 08:00:00' })
    const { guest, sent } = fakeService(refusing('token_invalid', 'kept'), { session })
    expect(isError((await passing(guest.call(search))).error, 'token_invalid')).toBe(true)
    expect(sent).toHaveLength(1)
  })
})
