import { WeinkontorError } from '../../lib/client/index.ts'
import { createShop } from '../../lib/shop/server.ts'
import { counted } from '../support/partitions.ts'

type Called = { path: string; body: Record<string, unknown>; token: string | undefined }

/** A shop whose service knows one password, with the calls of that service. */
const newShop = ({ isBusy = false } = {}) => {
  const called: Called[] = []
  const clientOf = (token?: string) => ({
    call: async (path: string, body: Called['body'] = {}) => {
      called.push({ path, body, token })
      const refuse = (status: number, error: string) => {
        throw new WeinkontorError(path, { status, headers: new Headers(), body: { error } })
      }
      if (path.endsWith('login') && body.password !== 'right') refuse(400, 'login_failed')
      if (path.endsWith('logout') && isBusy) refuse(503, 'temporarily_unavailable')
      return { data: { token: 'wkc_1' } }
    },
    forClient: clientOf,
  })
  const origin = 'http://localhost:3000'
  const shop = createShop({ client: clientOf() as never, origins: [origin], cookieKey: new Uint8Array(32) })
  const post = (name: string, body: object, { cookie = '', address = '192.0.2.1' } = {}) =>
    shop(
      new Request(`${origin}/shop/api/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, cookie },
        body: JSON.stringify(body),
      }),
      address,
    )
  const signIn = (password: string, from: { cookie?: string; address?: string } = {}) =>
    post('account/sign-in', { mail: 'ada@example.org', password }, from)
  return { called, post, signIn }
}

/** A cookie that a response sets, with its signature, and its value. */
const cookieIn = (reply: Response, name: string) => {
  const [, cookie = '', value = ''] =
    RegExp(`^(shop_${name}=([\\w-]+)\\.[\\w-]+);.*HttpOnly`, 'm').exec(reply.headers.getSetCookie().join('\n')) ?? []
  return { cookie, value }
}

test('a visitor has its own key, which the service gets at each sign-in', async () => {
  const { called, signIn } = newShop()
  const first = await signIn('wrong')
  const { cookie, value: visitor } = cookieIn(first, 'visitor')
  expect([first.status, visitor]).toEqual([400, expect.stringMatching(/^[\w-]{36}$/)])
  expect(cookieIn(await signIn('right', { cookie }), 'visitor').value).toBe(visitor)
  expect(cookieIn(await signIn('right'), 'visitor').value).not.toBe(visitor)
  const callers = called.filter(({ path }) => path.endsWith('login')).map(({ body }) => body.caller)
  expect(callers.slice(0, 2)).toEqual([visitor, visitor])
})

test('after 20 wrong passwords from an address, also concurrent attempts, the service is no longer called', async () => {
  const { called, signIn } = newShop()
  for (const _ of counted(21)) expect((await signIn('right')).status).toBe(200)
  called.length = 0
  const replies = await Promise.all(counted(64).map(() => signIn('wrong')))
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(20)
  const [refused] = replies.filter(({ status }) => status === 429)
  expect(await refused?.json()).toMatchObject({ error: 'client_login_throttled' })
  expect((await signIn('right')).status).toBe(429)
  expect(called).toHaveLength(20)
  expect((await signIn('right', { address: '192.0.2.2' })).status).toBe(200)
})

test('addresses of one IPv6 network count together, IPv4 addresses separately', async () => {
  const { signIn } = newShop()
  for (const n of counted(20)) await signIn('wrong', { address: `2001:db8:1:2:${n}::1` })
  const statusOf = async (address: string) => (await signIn('right', { address })).status
  expect(await statusOf('2001:db8:1:2:ffff::9')).toBe(429)
  for (const other of ['2001:db8:1:3::1', '::ffff:192.0.2.1']) expect(await statusOf(other)).toBe(200)
  for (const n of counted(20)) await signIn('wrong', { address: `::ffff:192.0.2.${n + 10}` })
  expect(await statusOf('::ffff:192.0.2.1')).toBe(200)
})

test('signing out ends the session at the service, and deletes its token', async () => {
  const { called, post, signIn } = newShop()
  const { cookie } = cookieIn(await signIn('right'), 'client')
  const reply = await post('account/sign-out', {}, { cookie })
  expect([reply.status, called.at(-1)]).toEqual([200, { path: '/service/clients/logout', body: {}, token: 'wkc_1' }])
  expect(reply.headers.getSetCookie().join()).toMatch(/shop_client=;.*Max-Age=0/)
  called.length = 0
  expect((await post('account/sign-out', {})).status).toBe(200)
  expect(called).toEqual([])
})

test('a browser is signed out even if the service fails, and sees the error', async () => {
  const { post, signIn } = newShop({ isBusy: true })
  const { cookie } = cookieIn(await signIn('right'), 'client')
  const reply = await post('account/sign-out', {}, { cookie })
  expect([reply.status, await reply.json()]).toEqual([
    503,
    expect.objectContaining({ error: 'temporarily_unavailable' }),
  ])
  expect(reply.headers.getSetCookie().join()).toMatch(/shop_client=;.*Max-Age=0/)
})
