import { loginClient } from '../../shared/clients/login.ts'
import { patience, withPasswordSlot } from '../../shared/clients/passwords.ts'
import { foldMail } from '../../shared/clients/store.ts'
import { digestOf } from '../../shared/merchants/sessions.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { type Account, newAccount } from '../support/client-account.ts'
import { newShop } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'

const [shop, other] = [await newShop('Kontor'), await newShop('Andere')]
const merchant = shop.id
const seconds = () => Math.floor(Date.now() / 1000)

const ofMail = (mail: string) => key('failures', { source: `client#${merchant}#${digestOf(foldMail(mail))}` })
const ofCaller = (caller: string) => key('failures', { source: `caller#${merchant}#${digestOf(caller)}` })

/** Stores `times` failures of a source, the last of them `ago` seconds ago. */
const hasFailed = (place: ReturnType<typeof ofMail>, times: number, ago = 10) =>
  putItem(place, { count: times, expires: seconds() + 600, at: seconds() - ago })

const signIn = async (account: Account, more: object = {}, at = shop): Promise<string> => {
  const { mail, password } = account
  const { status, json } = await at.call('clients/login', { mail, password, ...more })
  return status === 200 ? 'signed in' : `${status} ${json.code} ${json.error}`
}
const wrong = { password: 'wrong' }
const [failed, throttled] = ['400 400 login_failed', '400 400 client_login_throttled']

const tally = (outcomes: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, one => one)].map(([outcome, { length }]) => [outcome, length]))

test('of 64 concurrent wrong passwords of a mail, 20 are hashed', async () => {
  const account = await newAccount(shop)
  const mails = [account.mail, account.mail.toUpperCase()]
  const outcomes = await Promise.all(counted(64).map(n => signIn(account, { ...wrong, mail: mails[n % 2] })))
  expect(tally(outcomes)).toEqual({ [failed]: 20, [throttled]: 44 })
  expect(await getItem(ofMail(account.mail))).toMatchObject({ count: 20 })
  expect(await signIn(account, wrong, other)).toBe(failed)
})

test('of 64 concurrent wrong passwords, 20 are hashed also when a window has just ended', async () => {
  const account = await newAccount(shop)
  await putItem(ofMail(account.mail), { count: 20, expires: seconds() - 1, at: seconds() - 900 })
  const outcomes = await Promise.all(counted(64).map(() => signIn(account, wrong)))
  expect(tally(outcomes)).toEqual({ [failed]: 20, [throttled]: 44 })
  expect(await getItem(ofMail(account.mail))).toMatchObject({ count: 20 })
})

test('after 20 failures of a mail, one sign-in a minute is hashed, also of concurrent sign-ins', async () => {
  const account = await newAccount(shop)
  const place = ofMail(account.mail)
  await hasFailed(place, 20, 20)
  const early = await shop.call('clients/login', account)
  expect([early.status, early.json.error]).toEqual([400, 'client_login_throttled'])
  const wait = Number(early.headers.get('retry-after'))
  expect([wait > 30, wait <= 40]).toEqual([true, true])

  await hasFailed(place, 20, 60)
  const right = await Promise.all(counted(16).map(() => signIn(account)))
  expect(tally(right)).toEqual({ 'signed in': 1, [throttled]: 15 })
  await hasFailed(place, 20, 60)
  expect(tally(await Promise.all(counted(16).map(() => signIn(account, wrong))))).toEqual({
    [failed]: 1,
    [throttled]: 15,
  })
  // Fifteen minutes after the first failure the window is over.
  await updateItem(place, { set: { expires: seconds() } })
  expect(await signIn(account)).toBe('signed in')
})

test('a throttled sign-in hashes no password', async () => {
  const account = await newAccount(shop)
  // scrypt fails with such a cost.
  await updateItem(key('clientAccess', { merchant, id: account.id }), { set: { n: 3 } })
  expect(await signIn(account)).toBe('500 500 internal_error')
  await hasFailed(ofMail(account.mail), 20)
  expect(await signIn(account)).toBe(throttled)
})

test('neither a correct password nor one that was not hashed is counted as a failure', async () => {
  const account = await newAccount(shop)
  for (const _ of counted(21)) expect(await signIn(account, { caller: 'ada' })).toBe('signed in')
  for (const place of [ofMail(account.mail), ofCaller('ada')]) expect((await getItem(place))?.count).toBe(0)

  const { promise, resolve } = Promise.withResolvers<void>()
  const computing = counted(4).map(() => withPasswordSlot(merchant, () => promise))
  const usual = patience.ms
  patience.ms = 100
  const late = loginClient(merchant, { ...account, caller: 'ada' }, Date.now())
  await expect(late).rejects.toBeInstanceOf(Unavailable)
  patience.ms = usual
  resolve()
  await Promise.all(computing)
  for (const place of [ofMail(account.mail), ofCaller('ada')]) expect((await getItem(place))?.count).toBe(0)
})

test('a caller that signed in as the client before is never throttled', async () => {
  const [account, second] = [await newAccount(shop), await newAccount(shop)]
  const caller = 'k'.repeat(64)
  expect(await signIn(account, { caller })).toBe('signed in')
  for (const place of [ofMail(account.mail), ofMail(second.mail), ofCaller(caller)]) await hasFailed(place, 20)
  expect(await signIn(account, { caller })).toBe('signed in')
  expect(await signIn(account, { ...wrong, caller })).toBe(failed)
  expect(await signIn(second, { caller })).toBe(throttled)
  for (const none of [undefined, null, '', 'somebody'.repeat(3)]) {
    if (none) await hasFailed(ofCaller(none), 20)
    expect(await signIn(account, { caller: none })).toBe(throttled)
  }
})

test('a caller with less than 20 failures is not throttled, also in concurrent requests', async () => {
  const account = await newAccount(shop)
  await hasFailed(ofMail(account.mail), 20)
  const outcomes = await Promise.all(counted(64).map(() => signIn(account, { ...wrong, caller: 'zoe' })))
  expect(tally(outcomes)).toEqual({ [failed]: 20, [throttled]: 44 })
  expect(await signIn(account, { caller: 'zoe' })).toBe(throttled)
  expect(await signIn(account, { caller: 'eva' })).toBe('signed in')
  // Failures with mails that are not throttled count as well.
  await Promise.all(counted(20).map(n => signIn(account, { ...wrong, mail: `niemand${n}@example.org`, caller: 'uli' })))
  expect(await signIn(account, { caller: 'uli' })).toBe(throttled)
})

test('a caller is a text of at most 64 characters', async () => {
  const account = await newAccount(shop)
  for (const caller of ['k'.repeat(65), 1, {}])
    expect(await signIn(account, { caller })).toBe('400 400 validation_failed')
})
