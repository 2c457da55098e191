import { digestOf } from '../../shared/merchants/sessions.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { call, newShop } from '../support/harness.ts'

const shop = await newShop()
const open = async (): Promise<string> =>
  (await call('/service/login', { authid: shop.authid, token: shop.apiToken })).json.token

test('logout ends the session it is sent with, and no other', async () => {
  const token = await open()
  const { status, json } = await call('/service/logout', {}, { token })
  expect([status, json]).toEqual([
    200,
    { info: 'success', customers_id: shop.id, expires: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
  ])
  expect(await getItem(key('session', { digest: digestOf(token) }))).toBeUndefined()
  const later = await call('/service/check/login', {}, { token })
  expect([later.status, later.json.error]).toEqual([401, 'token_invalid'])
  expect((await shop.call('check/login')).status).toBe(200)
})

test('a session ends once, also by concurrent requests', async () => {
  const token = await open()
  const answers = await Promise.all([1, 2, 3, 4].map(() => call('/service/logout', {}, { token })))
  const words = answers.map(({ status, json }) => (status === 200 ? 'ended' : `${status} ${json.error}`))
  expect(words.sort()).toEqual(['401 token_invalid', '401 token_invalid', '401 token_invalid', 'ended'])
  expect((await call('/service/logout', {}, { token })).json.error).toBe('token_invalid')
})

test('logout requires a session', async () => {
  expect((await call('/service/logout')).json.error).toBe('token_missing')
  expect((await call('/service/logout', {}, { token: shop.apiToken })).json.error).toBe('token_malformed')
})
