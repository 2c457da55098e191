import { findMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { call, newShop } from '../support/harness.ts'
import { sampleInFastLane } from '../support/sampling.ts'

const shop = await newShop('Kellerei Rolle')
const sessionOf = async (role: 'shop' | 'desk'): Promise<string> => {
  const { token } = await issueToken(await findMerchant(String(shop.id)), `the ${role}`, { role })
  return (await call('/service/login', { token, authid: shop.authid })).json.token
}
const sessions = { shop: await sessionOf('shop'), desk: await sessionOf('desk') }

// Types let no Service route be served without a check of the role, so that `npm test` asks some of them.
const service = routes.filter(({ level }) => level === 'service')
const forDesk = service.filter(({ role }) => role)
const others = service.filter(({ role }) => !role)

test.each([
  ...sampleInFastLane(forDesk, 6),
  ...sampleInFastLane(others, 12),
])('$path accepts a session of the role shop unless it needs another role', async ({ path, role }) => {
  const { status, json, headers } = await call(path, {}, { token: sessions.shop })
  expect([status, json.error] as const).toEqual(
    role ? [403, 'role_missing'] : [status, expect.not.stringMatching('role_missing')],
  )
  if (role) expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"')
  // The route for signing out would end the session.
  if (path === '/service/logout') sessions.shop = await sessionOf('shop')
})

test.each(sampleInFastLane(forDesk, 6))('$path accepts a session of the role desk', async ({ path }) => {
  const { json } = await call(path, {}, { token: sessions.desk })
  expect(json.error).not.toBe('role_missing')
})

test('the role is checked before the body is read', async () => {
  const { status, json } = await call('/service/stocks/add', {}, { token: sessions.shop, raw: '{' })
  expect([status, json.error]).toEqual([403, 'role_missing'])
})
