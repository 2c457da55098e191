import { findMerchant, issueToken, revokeToken } from '../../lib/tool/merchants.ts'
import { formToken, newAuthId, newCredentialId } from '../../shared/merchants/sessions.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, updateItem } from '../../shared/platform/table/table.ts'
import { captureLog } from '../support/captured-log.ts'
import { call, newShop, type Shop } from '../support/harness.ts'

const shop = await newShop()
const other = await newShop()
const revoked = await issueToken(await findMerchant(String(shop.id)), 'revoked')
await revokeToken(revoked.id)

const log = captureLog()

// All tests of a run have one address; the failures of this file must not count against the others.
const sources = ['ip#127.0.0.1', `authid#${shop.authid}`]
const forget = (source: string) => deleteItem(key('failures', { source }))
beforeEach(() => Promise.all(sources.map(forget)))
afterAll(() => Promise.all(sources.map(forget)))

const login = ({ authid }: Pick<Shop, 'authid'>, token: string) =>
  call('/service/login', { token, authid }, { headers: { 'x-request-id': 'same' } })
const wrongToken = () => formToken('wka', shop.tokenId)
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)
const times = (n: number) => Array.from({ length: n }, (_, one) => one)

test('every wrong credential gets the same 401, byte for byte', async () => {
  const answers = [
    await login({ authid: newAuthId() }, formToken('wka', newCredentialId())),
    await login({ authid: newAuthId() }, shop.apiToken),
    await login(shop, formToken('wka', newCredentialId())),
    await login(shop, wrongToken()),
    await login(shop, revoked.token),
    await login(shop, other.apiToken),
    await login(other, shop.apiToken),
    await login(shop, shop.token),
    await login(shop, 'password'),
    await login({ authid: shop.authid.toUpperCase() }, shop.apiToken),
  ]
  const [first] = answers
  expect(first).toMatchObject({ status: 401, json: { error: 'credentials_invalid' } })
  expect(first?.headers.get('www-authenticate')).toBe('Bearer')
  const telling = ({ headers }: (typeof answers)[number]) => [...headers].filter(([name]) => name !== 'date')
  for (const answer of answers) {
    expect(answer.status).toBe(401)
    expect(answer.text).toBe(first?.text)
    expect(telling(answer)).toEqual(first && telling(first))
  }
})

test('after 20 failures of an AuthID the next are throttled, but the correct credential passes', async () => {
  expect(statuses(await Promise.all(times(20).map(() => login(shop, wrongToken()))))).toEqual(times(20).map(() => 401))
  const throttled = await login(shop, wrongToken())
  expect([throttled.status, throttled.json.error]).toEqual([429, 'login_throttled'])
  const wait = Number(throttled.headers.get('retry-after'))
  expect(Number.isInteger(wait) && wait > 0 && wait <= 900).toBe(true)
  expect((await login(shop, shop.apiToken)).status).toBe(200)
  await forget('ip#127.0.0.1')
  expect(statuses([await login(shop, wrongToken()), await login(other, wrongToken())])).toEqual([429, 401])
})

test('after 20 failures of an address the next are throttled, with any AuthID', async () => {
  await Promise.all(times(20).map(() => login({ authid: newAuthId() }, wrongToken())))
  const { status, headers } = await login({ authid: newAuthId() }, wrongToken())
  expect(status).toBe(429)
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await login(shop, shop.apiToken)).status).toBe(200)
})

test('after 15 minutes a new window counts from 1', async () => {
  const place = key('failures', { source: 'ip#127.0.0.1' })
  await login({ authid: newAuthId() }, wrongToken())
  await updateItem(place, { set: { count: 500, expires: 1 } })
  expect((await login({ authid: newAuthId() }, wrongToken())).status).toBe(401)
  expect(await getItem(place)).toMatchObject({ count: 1 })
})

test('a refused sign-in is logged with its address, without AuthID and token, and a successful one has no address in the log', async () => {
  await login(shop, shop.apiToken)
  expect(log.texts.join()).not.toContain('127.0.0.1')
  const token = wrongToken()
  await login(shop, token)
  expect(log.lines()).toContainEqual(
    expect.objectContaining({ level: 'WARN', message: 'sign-in refused', address: '127.0.0.1' }),
  )
  for (const secret of [token, shop.authid]) expect(log.texts.join()).not.toContain(secret)
})
