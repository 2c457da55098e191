import { findMerchant, issueToken, revokeSession, revokeToken } from '../../lib/tool/merchants.ts'
import { digestOf, formToken, newCredentialId } from '../../shared/merchants/sessions.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { parseTimestamp, unixSeconds } from '../../shared/values/time.ts'
import { badTexts } from '../support/bad-values.ts'
import { call, newShop, type Shop } from '../support/harness.ts'

const shop = await newShop()

const login = (credential: { token?: unknown; authid?: unknown }) => call('/service/login', credential)
const check = (authorization?: string) =>
  call('/service/check/login', {}, { headers: authorization === undefined ? {} : { authorization } })
const sessionOf = async ({ authid }: Shop, token: string): Promise<string> =>
  (await login({ authid, token })).json.token

/** Stores a session of the shop; returns its token. */
const storedSession = async (fields: object): Promise<string> => {
  const token = formToken('wks', shop.tokenId)
  const expires = unixSeconds(Date.now()) + 3600
  const session = { credential: shop.tokenId, customers_id: shop.id, expires, ...fields }
  await putItem(key('session', { digest: digestOf(token) }), session)
  return token
}

describe('signing in', () => {
  test('returns the session at the top level, as existing clients read it', async () => {
    const { status, json, headers } = await login({ token: shop.apiToken, authid: shop.authid })
    expect(status).toBe(200)
    expect(json).toEqual({
      info: 'success',
      token: expect.stringMatching(/^wks_/),
      refreshToken: '',
      expires: expect.any(String),
    })
    const hours = (parseTimestamp(json.expires) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11.9)
    expect(hours).toBeLessThanOrEqual(12)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('ignores further parameters, which existing clients send', async () => {
    const beside = { filter: [], inshop: true, session: 'x' }
    const { status } = await call('/service/login', { token: shop.apiToken, authid: shop.authid, ...beside })
    expect(status).toBe(200)
  })

  test('opens a new session each time', async () => {
    const [one, other] = [await sessionOf(shop, shop.apiToken), await sessionOf(shop, shop.apiToken)]
    expect(one).not.toBe(other)
    for (const token of [one, other]) expect((await check(`Bearer ${token}`)).status).toBe(200)
  })

  test('check/login returns the merchant and the end of the session', async () => {
    const { json } = await login({ token: shop.apiToken, authid: shop.authid })
    const checked = await check(`Bearer ${json.token}`)
    expect(checked.json).toEqual({ info: 'success', customers_id: shop.id, expires: json.expires })
  })

  test.each(['token', 'authid'])('refuses a missing, empty or impossible %s by its path', async field => {
    for (const value of [undefined, null, '', ' ', ...badTexts]) {
      const { status, json, text } = await login({ token: shop.apiToken, authid: shop.authid, [field]: value })
      expect([value, status, json.error]).toEqual([value, 400, 'validation_failed'])
      expect(json.fields).toEqual([expect.objectContaining({ path: field })])
      expect(text).not.toContain(shop.apiToken)
    }
  })
})

describe('the Authorization header', () => {
  const [, , secret = '', sum = ''] = shop.token.split('_')
  const fresh = { api: formToken('wka', shop.tokenId), session: formToken('wks', shop.tokenId) }
  const otherId = formToken('wks', newCredentialId(), Buffer.from(secret, 'hex'))

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
  ])('with %s is a missing token', async (_, header) => {
    const { status, json, headers } = await check(header)
    expect([status, json.error, headers.get('www-authenticate')]).toEqual([401, 'token_missing', 'Bearer'])
  })

  test.each([
    ['the scheme alone', 'Bearer'],
    ['a token without a scheme', shop.token],
    ['another scheme', `Basic ${Buffer.from(`${shop.authid}:${shop.apiToken}`).toString('base64')}`],
    ['two tokens', `Bearer ${shop.token} ${shop.token}`],
    ['two headers in one', `Bearer ${shop.token}, Bearer ${shop.token}`],
    ['a quoted token', `Bearer "${shop.token}"`],
    ['what scripts send without a token', 'Bearer undefined'],
    ['an API token', `Bearer ${shop.apiToken}`],
    ['an API token called a session token', `Bearer ${shop.apiToken.replace('wka', 'wks')}`],
    ['a wrong checksum', `Bearer ${shop.token.slice(0, -1)}${shop.token.endsWith('0') ? '1' : '0'}`],
    ['a changed secret', `Bearer wks_${shop.tokenId}_${'0'.repeat(64)}_${sum}`],
    ['a cut token', `Bearer ${shop.token.slice(0, -9)}`],
    ['upper case', `Bearer ${shop.token.toUpperCase()}`],
    ['a token and more', `Bearer ${shop.token}0`],
    ['an unsigned JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJjdXN0b21lcnNfaWQiOjF9.'],
    ['a path', 'Bearer ../../session'],
    ['an expression', "Bearer ' OR '1'='1"],
    ['nine kilobytes', `Bearer wks_${'a'.repeat(9000)}`],
  ])('with %s is malformed', async (_, header) => {
    const { status, json, headers } = await check(header)
    expect([status, json.error]).toEqual([401, 'token_malformed'])
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  test.each([
    ['a session that was never opened', fresh.session],
    [
      "the API token's own secret",
      formToken('wks', shop.tokenId, Buffer.from(shop.apiToken.split('_')[2] ?? '', 'hex')),
    ],
    ["a session's secret under another credential", otherId],
  ])('with %s is invalid', async (_, token) => {
    const { status, json, headers } = await check(`Bearer ${token}`)
    expect([status, json.error]).toEqual([401, 'token_invalid'])
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  test('with a session of another credential than the token says is invalid', async () => {
    const token = await storedSession({ credential: newCredentialId() })
    expect((await check(`Bearer ${token}`)).json.error).toBe('token_invalid')
  })

  test('with a session past its end is expired, though it is still stored', async () => {
    const token = await storedSession({ expires: unixSeconds(Date.now()) - 1 })
    const { status, json, headers } = await check(`Bearer ${token}`)
    expect([status, json.error]).toEqual([401, 'token_expired'])
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  test('may spell its scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      expect((await check(`${scheme} ${shop.token}`)).status).toBe(200)
    }
  })

  test('is the only source of the token', async () => {
    const body = { token: shop.token, authorization: `Bearer ${shop.token}` }
    const { json } = await call(`/service/check/login?token=${shop.token}`, body, {
      headers: { cookie: `token=${shop.token}`, 'client-authorization': `Bearer ${shop.token}` },
    })
    expect(json.error).toBe('token_missing')
  })

  test('is checked before the body', async () => {
    const { status, json } = await call('/service/check/login', {}, { raw: '{broken' })
    expect([status, json.error]).toEqual([401, 'token_missing'])
  })

  test('is not repeated in the refusal', async () => {
    const { text } = await check(`Bearer ${fresh.api}`)
    expect(text).not.toContain(fresh.api.slice(0, 20))
  })
})

describe('API tokens', () => {
  test('are two of a role at most: a third requires a revocation', async () => {
    const { id, authid } = await newShop()
    const account = () => findMerchant(String(id))
    await issueToken(await account(), 'first')
    const second = await issueToken(await account(), 'second')
    expect((await login({ authid, token: second.token })).status).toBe(200)
    await expect(issueToken(await account(), 'third')).rejects.toThrow('2 live tokens of the role shop already')
    await revokeToken(second.id)
    const third = await issueToken(await account(), 'third')
    expect((await login({ authid, token: third.token })).status).toBe(200)
  })

  test('of another role do not count among them', async () => {
    const { id } = await newShop()
    const account = () => findMerchant(String(id))
    for (const name of ['first', 'second']) await issueToken(await account(), name)
    const desk = await issueToken(await account(), 'desk', { role: 'desk' })
    expect((await account()).tokens.map(({ role = 'shop' }) => role)).toEqual(['desk', 'shop', 'shop', 'desk'])
    await expect(issueToken(await account(), 'more', { role: 'desk' })).rejects.toThrow(`desk already; revoke one`)
    await revokeToken(desk.id)
    await issueToken(await account(), 'more', { role: 'desk' })
  })

  test('end only their own sessions when they are revoked', async () => {
    const own = await newShop()
    const other = await issueToken(await findMerchant(String(own.id)), 'other')
    const [session, otherSession] = [await sessionOf(own, own.apiToken), await sessionOf(own, other.token)]
    await revokeToken(own.tokenId)
    const { status, json } = await check(`Bearer ${session}`)
    expect([status, json.error]).toEqual([401, 'token_invalid'])
    expect((await check(`Bearer ${otherSession}`)).status).toBe(200)
  })

  test('are different users in the records that they create', async () => {
    const own = await newShop()
    const other = await issueToken(await findMerchant(String(own.id)), 'other')
    const token = await sessionOf(own, other.token)
    const data = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'A' }
    expect((await own.call('addresses/add', { data })).json.data.cruser_id).toBe(1)
    expect((await own.call('addresses/add', { data }, { token })).json.data.cruser_id).toBe(2)
  })
})

test('a revoked session ends; others of the same API token remain', async () => {
  const [gone, stays] = [await sessionOf(shop, shop.apiToken), await sessionOf(shop, shop.apiToken)]
  await revokeSession(gone)
  const { status, json } = await check(`Bearer ${gone}`)
  expect([status, json.error]).toEqual([401, 'token_invalid'])
  expect((await check(`Bearer ${stays}`)).status).toBe(200)
  await expect(revokeSession(gone)).rejects.toThrow('no such session')
})
