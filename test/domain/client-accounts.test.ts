import { register, storeRegistration } from '../../shared/clients/accounts.ts'
import { mailKey } from '../../shared/clients/store.ts'
import { digestOf, formToken } from '../../shared/merchants/sessions.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { countItems, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { newAccount, passwordOf, signedIn } from '../support/client-account.ts'
import { type Answer, call, newClient, newShop } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { tableLines } from '../support/table-lines.ts'

const [shop, other] = [await newShop('Kontor'), await newShop('Andere')]
const merchant = shop.id
const day = 86_400
const seconds = () => Math.floor(Date.now() / 1000)

const outcomeOf = ({ status, json }: Answer) => [status, json.error ?? json.data]
const clientsOf = () => countItems(partition('client', { merchant }))
const registration = async (data: object) => (await shop.call('clients/register', { data })).json.data
const hashKey = (hash: string) => key('clientHash', { merchant, digest: digestOf(hash) })

/** A client from a file or a guest's order, found by its mail. */
const withMail = async (mail: string, fields: object = {}) => {
  const client = await newClient(shop, { mail, ...fields })
  await putItem(mailKey(merchant, mail), { id: client.id })
  return client
}

describe('a registration', () => {
  const person = { mail: 'Ida@Example.org', password: passwordOf('ida'), first_name: 'Ida', last_name: 'Rot' }

  test('is active only after its one-time token was used', async () => {
    const { id, mail, lostpassword_hash: hash, expire } = await registration({ ...person, newsletter: '1', zip: '' })
    expect([mail, hash]).toEqual(['Ida@Example.org', expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(Math.abs(Date.parse(`${expire}Z`) / 1000 - seconds() - day)).toBeLessThan(60)
    const login = { mail: 'ida@EXAMPLE.org', password: person.password }
    expect(outcomeOf(await shop.call('clients/login', login))).toEqual([400, 'login_failed'])
    expect(outcomeOf(await shop.call('clients/validatePasswordHash', { hash }))).toEqual([200, { id, mail, expire }])
    expect(outcomeOf(await shop.call('clients/activate', { hash }))).toEqual([200, { id, mail }])
    const account = await signedIn(shop, login)
    expect(account.id).toBe(id)
    expect(account.token).toMatch(/^wkc_/)
    expect((await account.call('clients/get')).json.data).toMatchObject({
      id,
      number: expect.stringMatching(/^K-1\d{3}$/),
      mail: 'Ida@Example.org',
      first_name: 'Ida',
      last_name: 'Rot',
      newsletter: 1,
      zip: null,
      active: 1,
      type: 'private',
      customers_id: merchant,
    })
    for (const route of ['activate', 'validatePasswordHash', 'resetPassword']) {
      expect(outcomeOf(await shop.call(`clients/${route}`, { hash, password: 'x' }))).toEqual([400, 'hash_invalid'])
    }
  })

  test('returns the typed names, not those of an existing client with the mail', async () => {
    await withMail('bekannt@example.org', { first_name: 'Bekannt', last_name: 'Gast', company: 'Gast GmbH' })
    const typed = { gender: 'f', title: 'Dr.', first_name: 'Ida', last_name: 'Rot', company: '' }
    expect(await registration({ mail: 'bekannt@example.org', password: 'x', ...typed })).toMatchObject({
      ...typed,
      company: null,
    })
    const bare = await registration({ mail: 'bekannt@example.org', password: 'x', name: 'Ida Rot' })
    const { first_name, last_name, company } = bare
    expect([first_name, last_name, company]).toEqual([null, 'Ida Rot', null])
  })

  test('with the mail of an account is refused, in any spelling', async () => {
    const again = await shop.call('clients/register', { data: { ...person, mail: 'IDA@example.ORG' } })
    expect(outcomeOf(again)).toEqual([400, 'mail_taken'])
    expect(again.json.fields).toEqual([
      { path: 'data.mail', rule: 'mail_taken', expected: 'an address that no other account uses' },
    ])
    expect(outcomeOf(await other.call('clients/register', { data: person }))).toEqual([200, expect.anything()])
  })

  test('accepts a name in one field, and ignores unknown fields', async () => {
    const { id, lostpassword_hash } = await registration({
      mail: 'otto@example.org',
      password: 'x',
      password_repeat: 'plain',
      name: 'Otto Weiß',
      rebate: 50,
      price_range_id: 1,
      submitted: true,
    })
    await shop.call('clients/activate', { lostpassword_hash })
    expect(await getItem(key('client', { merchant, id }))).toMatchObject({
      last_name: 'Otto Weiß',
      rebate: null,
      price_range_id: null,
    })
  })

  test('changes nothing of an existing client without account until the mail is verified', async () => {
    const before = await withMail('gast@example.org', { last_name: 'Gast', phone: '1', rebate: 5 })
    const data = { mail: 'gast@example.org', password: passwordOf('a'), last_name: 'Angreifer', city: 'Anderswo' }
    const { id, lostpassword_hash: hash } = await registration(data)
    expect(id).toBe(before.id)
    expect(await getItem(key('client', { merchant, id }))).toEqual(before)
    expect(outcomeOf(await shop.call('clients/login', data))).toEqual([400, 'login_failed'])
    // The owner of the mail registers, too: the password sent with the owner's hash is the valid one.
    const own = { mail: 'gast@example.org', password: passwordOf('b'), first_name: 'Eva', phone: '2', zip: null }
    const mine = await registration(own)
    expect(outcomeOf(await shop.call('clients/activate', { hash: mine.lostpassword_hash }))).toEqual([
      200,
      { id, mail: own.mail },
    ])
    expect(outcomeOf(await shop.call('clients/activate', { hash }))).toEqual([400, 'hash_invalid'])
    expect(outcomeOf(await shop.call('clients/login', data))).toEqual([400, 'login_failed'])
    const account = await signedIn(shop, own)
    expect((await account.call('clients/get')).json.data).toMatchObject({
      ...{ id, last_name: 'Gast', first_name: 'Eva', phone: '2', rebate: '5', zip: before.zip },
    })
  })

  test('creates one client for concurrent requests with one mail, and one account for one token', async () => {
    const before = await clientsOf()
    const password = { hash: '', salt: '', n: 2, r: 1, p: 1 }
    const data = { mail: 'viele@example.org', last_name: 'Viele' }
    const made = await Promise.all(counted(64).map(() => storeRegistration(merchant, data, password)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect((await clientsOf()) - before).toBe(1)
    const hash = made[0]?.lostpassword_hash
    const answers = await Promise.all(counted(8).map(() => shop.call('clients/activate', { hash })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...counted(7).map(() => 400)])
  })

  test('counts against the quota of clients unless it is refused', async () => {
    const small = await newShop('Kleinkontor')
    await putItem(key('quota', { merchant: small.id, name: 'clients' }), { limit: 1 })
    const one = (mail: string) => small.call('clients/register', { data: { mail, password: 'x' } })
    expect((await one('a@example.org')).status).toBe(200)
    expect(outcomeOf(await one('b@example.org'))).toEqual([422, 'quota_exceeded'])
    // The same client again.
    expect((await one('a@example.org')).status).toBe(200)
    expect(await getItem(mailKey(small.id, 'b@example.org'))).toBeUndefined()
  })

  test('takes over the mail of a deleted client', async () => {
    const gone = await withMail('weg@example.org', { deleted: 1 })
    expect(outcomeOf(await shop.call('clients/exists', { mail: 'weg@example.org' }))).toEqual([200, false])
    const { id } = await registration({ mail: 'weg@example.org', password: 'x' })
    expect(id).not.toBe(gone.id)
    expect(outcomeOf(await shop.call('clients/exists', { mail: 'weg@example.org' }))).toEqual([200, id])
  })
})

describe('signing in', () => {
  test('has the same refusal for every wrong credential', async () => {
    const { mail, password } = await newAccount(shop)
    const off = await newAccount(shop)
    await updateItem(key('client', { merchant, id: off.id }), { set: { active: 0 } })
    const guest = await withMail('nur-gast@example.org')
    const ask = (body: object, at = shop) => at.call('clients/login', body, { headers: { 'x-request-id': 'same' } })
    const answers = [
      await ask({ mail, password: `${password}0` }),
      await ask({ mail: 'niemand@example.org', password }),
      await ask({ mail: guest.mail, password }),
      await ask({ mail: off.mail, password: off.password }),
      await ask({ mail, password }, other),
    ]
    const [first] = answers
    expect(first?.json).toMatchObject({ info: 'error', code: 400, error: 'login_failed' })
    for (const { status, text } of answers) expect([status, text]).toEqual([400, first?.text])
  })

  test.each([
    ['none', {}, 'client_token_missing'],
    ['an empty one', { 'client-authorization': ' ' }, 'client_token_missing'],
    ['no token', { 'client-authorization': 'abc' }, 'client_token_invalid'],
    [
      'a forged one',
      { 'client-authorization': formToken('wkc', `${merchant.toString(16)}x1`) },
      'client_token_invalid',
    ],
    ['one of nobody', { 'client-authorization': formToken('wkc', '0x0') }, 'client_token_invalid'],
    ['the merchant’s own', { 'client-authorization': shop.token }, 'client_token_invalid'],
  ])('with %s a client is not signed in', async (_, headers, word) => {
    const answer = await shop.call('clients/get', {}, { headers })
    expect(outcomeOf(answer)).toEqual([401, word])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="client"')
    const optional = await shop.call('orders/get', { id: 1 }, { headers })
    expect(optional.json.error).toBe(word === 'client_token_missing' ? 'order_not_found' : word)
  })

  test('returns a token that is valid for its merchant, until it expires, together with the merchant’s session', async () => {
    const account = await newAccount(shop)
    const headers = { 'client-authorization': account.token }
    for (const route of ['clients/get', 'orders/get']) {
      expect(outcomeOf(await other.call(route, {}, { headers }))).toEqual([401, 'client_token_invalid'])
    }
    expect((await call('/service/clients/get', {}, { headers })).json.error).toBe('token_missing')
    expect((await account.call('clients/get')).status).toBe(200)
    const late = await signedIn(shop, account)
    const session = key('clientSession', { merchant, digest: digestOf(late.token) })
    expect(Math.abs(((await getItem(session))?.expires ?? 0) - seconds() - 12 * 3600)).toBeLessThan(60)
    await updateItem(session, { set: { expires: seconds() - 1 } })
    expect(outcomeOf(await late.call('clients/get'))).toEqual([401, 'client_token_invalid'])
  })

  test('ends when the client is inactive or deleted', async () => {
    for (const set of [{ active: 0 }, { deleted: 1 }] as const) {
      const account = await newAccount(shop)
      await updateItem(key('client', { merchant, id: account.id }), { set })
      expect(outcomeOf(await account.call('clients/get'))).toEqual([401, 'client_token_invalid'])
    }
  })
})

describe('a forgotten password', () => {
  const hashFor = async (mail: string): Promise<string> =>
    (await shop.call('clients/getPasswordHash', { mail })).json.data.hash

  test('is reset by a one-time token, once; earlier sessions end', async () => {
    const account = await newAccount(shop)
    const [hash, second] = [await hashFor(account.mail), await hashFor(account.mail)]
    const password = passwordOf('neu')
    expect(outcomeOf(await shop.call('clients/resetPassword', { hash, password }))).toEqual([
      200,
      { id: account.id, mail: account.mail },
    ])
    expect(outcomeOf(await account.call('clients/get'))).toEqual([401, 'client_token_invalid'])
    expect(outcomeOf(await shop.call('clients/login', account))).toEqual([400, 'login_failed'])
    expect((await signedIn(shop, { ...account, password })).id).toBe(account.id)
    // Hashes mailed before the new password are invalid.
    for (const used of [hash, second]) {
      const again = await shop.call('clients/resetPassword', { lostpassword_hash: used, password: 'x' })
      expect(outcomeOf(again)).toEqual([400, 'hash_invalid'])
    }
    expect(outcomeOf(await shop.call('clients/activate', { hash: await hashFor(account.mail) }))).toEqual([
      400,
      'hash_invalid',
    ])
  })

  test('of a client without account creates its account', async () => {
    const { id, mail = '' } = await withMail('import@example.org')
    const password = passwordOf('import')
    await shop.call('clients/resetPassword', { hash: await hashFor(mail ?? ''), password })
    expect((await signedIn(shop, { mail: 'import@example.org', password })).id).toBe(id)
  })

  test('of an unknown mail gets the same answer, with an invalid token', async () => {
    const { mail } = await newAccount(shop)
    const [known, unknown] = await Promise.all(
      [mail, 'niemand@example.org'].map(one => shop.call('clients/getPasswordHash', { mail: one })),
    )
    expect(unknown?.json.data).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      expire: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    expect(Object.keys(known?.json.data)).toEqual(Object.keys(unknown?.json.data))
    const { hash } = unknown?.json.data ?? {}
    expect(outcomeOf(await shop.call('clients/resetPassword', { hash, password: 'x' }))).toEqual([400, 'hash_invalid'])
  })

  test('has a token that is valid for a day, for its merchant, and while the client has the mail', async () => {
    const account = await newAccount(shop)
    const [late, foreign, moved] = [
      await hashFor(account.mail),
      await hashFor(account.mail),
      await hashFor(account.mail),
    ]
    await updateItem(hashKey(late), { set: { expires: seconds() - 1 } })
    expect(outcomeOf(await shop.call('clients/validatePasswordHash', { hash: late }))).toEqual([400, 'hash_invalid'])
    expect(outcomeOf(await other.call('clients/validatePasswordHash', { hash: foreign }))).toEqual([
      400,
      'hash_invalid',
    ])
    await account.call('clients/edit', { data: { mail: 'umgezogen@example.org' } })
    expect(outcomeOf(await shop.call('clients/validatePasswordHash', { hash: moved }))).toEqual([400, 'hash_invalid'])
  })
})

describe('signing out', () => {
  test('ends the session it is sent with, once, and no other', async () => {
    const account = await newAccount(shop)
    const other = await signedIn(shop, account)
    expect((await account.call('clients/get')).status).toBe(200)
    expect(outcomeOf(await account.call('clients/logout'))).toEqual([200, { id: account.id }])
    expect(await getItem(key('clientSession', { merchant, digest: digestOf(account.token) }))).toBeUndefined()
    expect(outcomeOf(await account.call('clients/logout'))).toEqual([401, 'client_token_invalid'])
    expect((await other.call('clients/get')).status).toBe(200)
    const answers = await Promise.all(counted(4).map(() => other.call('clients/logout')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
  })

  test('requires a client’s token', async () => {
    expect(outcomeOf(await shop.call('clients/logout'))).toEqual([401, 'client_token_missing'])
  })
})

describe('clients/edit changes', () => {
  test('name, address, mail and similar fields', async () => {
    const account = await newAccount(shop)
    const data = { first_name: 'Neu', city: 'Pirna', countrycode: 'AT', phone: '', newsletter: '1', gender: '' }
    const { json } = await account.call('clients/edit', { data, submitted: 1 })
    const changed = { first_name: 'Neu', city: 'Pirna', countrycode: 'at', phone: null, newsletter: 1, gender: null }
    expect(json.data).toMatchObject({ id: account.id, ...changed, last_name: 'Konto' })
    expect((await account.call('clients/get')).json.data).toEqual(json.data)
    expect(outcomeOf(await account.call('clients/edit', { data: {} }))).toEqual([400, 'nothing_to_change'])
  })

  test.each([
    ...['id', 'number', 'type', 'rebate', 'price_range_id', 'payment_type', 'payment_period', 'tax_free', 'cashback'],
    ...['active', 'deleted', 'iban', 'invoice_remark', 'customers_id', 'taxid', 'x', 'submitted', 'redirect'],
    'password_repeat',
  ])('nothing for %s, which it ignores', async field => {
    const account = await editor
    const before = (await account.call('clients/get')).json.data
    expect(outcomeOf(await account.call('clients/edit', { data: { [field]: '7' } }))).toEqual([
      400,
      'nothing_to_change',
    ])
    const city = before.city === 'Pirna' ? 'Ulm' : 'Pirna'
    const { json } = await account.call('clients/edit', { data: { city, [field]: '7' } })
    expect(json.data).toEqual({ ...before, city })
  })
  const editor = newAccount(shop)

  test('the mail by `username`, as a shop’s form sends it', async () => {
    const account = await newAccount(shop)
    const mail = `neu-${account.mail}`
    const form = { username: mail, password: '', password_repeat: '', submitted: '1', redirect: '/konto' }
    expect((await account.call('clients/edit', { data: form })).json.data).toMatchObject({ mail, username: null })
    expect((await signedIn(shop, { ...account, mail })).id).toBe(account.id)
    const both = { username: 'anders@example.org', mail: account.mail }
    expect((await account.call('clients/edit', { data: both })).json.data.mail).toBe(account.mail)
    expect((await account.call('clients/edit', { data: { username: '', city: 'Ulm' } })).json.data.city).toBe('Ulm')
    expect(outcomeOf(await account.call('clients/edit', { data: { username: 'ada' } }))).toEqual([
      400,
      'validation_failed',
    ])
  })

  test('the password, and ends all other sessions', async () => {
    const account = await newAccount(shop)
    const second = await signedIn(shop, account)
    const { hash } = (await shop.call('clients/getPasswordHash', { mail: account.mail })).json.data
    const password = passwordOf('neu')
    const edit = (data: object) => account.call('clients/edit', { data })
    const { json } = await edit({ password, password_repeat: 'KLARTEXT' })
    expect(json.data).toMatchObject({ id: account.id, mail: account.mail })
    expect(JSON.stringify(json)).not.toContain(password)
    // No instance has cached the second session.
    expect(outcomeOf(await second.call('clients/get'))).toEqual([401, 'client_token_invalid'])
    expect((await account.call('clients/get')).status).toBe(200)
    expect(outcomeOf(await shop.call('clients/login', account))).toEqual([400, 'login_failed'])
    expect((await signedIn(shop, { ...account, password })).id).toBe(account.id)
    expect(outcomeOf(await shop.call('clients/validatePasswordHash', { hash }))).toEqual([400, 'hash_invalid'])
    // This session is still valid: it changes mail and password together, and the mail alone.
    const mail = `neu-${account.mail}`
    expect((await edit({ mail, password: account.password, city: 'Ulm' })).json.data).toMatchObject({
      mail,
      city: 'Ulm',
    })
    expect((await edit({ mail: account.mail })).json.data.mail).toBe(account.mail)
    expect((await signedIn(shop, account)).id).toBe(account.id)
    for (const nothing of ['', null])
      expect(outcomeOf(await edit({ password: nothing }))).toEqual([400, 'nothing_to_change'])
  })

  test('the password by concurrent requests to one of both, and keeps the session', async () => {
    const account = await newAccount(shop)
    const passwords = ['a', 'b'].map(passwordOf)
    const edits = passwords.map(password => account.call('clients/edit', { data: { password } }))
    expect((await Promise.all(edits)).map(({ status }) => status)).toEqual([200, 200])
    const logins = passwords.map(password => shop.call('clients/login', { ...account, password }))
    expect((await Promise.all(logins)).map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect((await account.call('clients/edit', { data: { mail: `neu-${account.mail}` } })).status).toBe(200)
  })

  test('the mail to a free one, which signs in, releases the former one, and refuses that of another client', async () => {
    const [account, taken] = [await newAccount(shop), await newAccount(shop)]
    const edit = (mail: unknown) => account.call('clients/edit', { data: { mail, city: 'Ulm' } })
    expect(outcomeOf(await edit(taken.mail.toUpperCase()))).toEqual([400, 'mail_taken'])
    const all = { username: taken.mail, password: 'x', city: 'Ulm' }
    expect(outcomeOf(await account.call('clients/edit', { data: all }))).toEqual([400, 'mail_taken'])
    expect((await signedIn(shop, account)).id).toBe(account.id)
    expect((await account.call('clients/get')).json.data).toMatchObject({ mail: account.mail, city: null })
    for (const mail of [null, '', 'x']) expect(outcomeOf(await edit(mail))).toEqual([400, 'validation_failed'])
    expect((await edit(account.mail.toUpperCase())).json.data.mail).toBe(account.mail.toUpperCase())
    const mail = `neu-${account.mail}`
    expect((await edit(mail)).json.data).toMatchObject({ mail, city: 'Ulm' })
    expect((await signedIn(shop, { ...account, mail })).id).toBe(account.id)
    expect(outcomeOf(await shop.call('clients/login', account))).toEqual([400, 'login_failed'])
    expect(await getItem(mailKey(merchant, account.mail))).toBeUndefined()
    expect((await newAccount(shop, { mail: account.mail })).id).not.toBe(account.id)
  })

  test('the mail by concurrent requests to one of them, which signs in', async () => {
    for (const n of counted(fewerInFastLane(3, 8))) {
      const account = await newAccount(shop)
      const mails = [account.mail.toUpperCase(), `zugleich${n}@example.org`, `auch${n}@example.org`]
      await Promise.all(mails.map(mail => account.call('clients/edit', { data: { mail } })))
      const { mail } = (await account.call('clients/get')).json.data
      expect((await signedIn(shop, { ...account, mail })).id).toBe(account.id)
      const pointers = await Promise.all(mails.map(one => getItem(mailKey(merchant, one))))
      expect(pointers.filter(pointer => pointer?.id === account.id)).toHaveLength(1)
    }
  })

  test('neither mail nor password with a session from before a password reset', async () => {
    const account = await newAccount(shop)
    expect((await account.call('clients/get')).status).toBe(200)
    const { hash } = (await shop.call('clients/getPasswordHash', { mail: account.mail })).json.data
    await shop.call('clients/resetPassword', { hash, password: 'x' })
    // Caches may accept the session for up to a minute, but it cannot take over the account.
    for (const data of [{ mail: 'dieb@example.org' }, { password: 'dieb' }])
      expect(outcomeOf(await account.call('clients/edit', { data }))).toEqual([401, 'client_token_invalid'])
    expect((await signedIn(shop, { mail: account.mail, password: 'x' })).id).toBe(account.id)
  })

  test('mail and password, or a concurrent reset succeeds: one of both alone', async () => {
    for (const n of counted(fewerInFastLane(3, 8))) {
      const account = await newAccount(shop)
      const { hash } = (await shop.call('clients/getPasswordHash', { mail: account.mail })).json.data
      const mail = `wettlauf${n}@example.org`
      const [reset, edit] = await Promise.all([
        shop.call('clients/resetPassword', { hash, password: 'reset' }),
        account.call('clients/edit', { data: { username: mail, password: 'edit' } }),
      ])
      const isReset = reset.status === 200
      expect(
        [outcomeOf(reset)[1], outcomeOf(edit)[1]].filter(
          word => word === 'hash_invalid' || word === 'client_token_invalid',
        ),
      ).toEqual([isReset ? 'client_token_invalid' : 'hash_invalid'])
      const counting = isReset ? { mail: account.mail, password: 'reset' } : { mail, password: 'edit' }
      const tries = [account.mail, mail].flatMap(one => ['reset', 'edit'].map(password => ({ mail: one, password })))
      for (const one of tries) {
        const { status } = await shop.call('clients/login', one)
        expect([one, status]).toEqual([
          one,
          one.mail === counting.mail && one.password === counting.password ? 200 : 400,
        ])
      }
      // A session from before a reset changes nothing of an account.
      expect((await account.call('clients/edit', { data: { mail: counting.mail } })).status).toBe(isReset ? 401 : 200)
    }
  })

  test('the mail to a claimed one, which is not found until it is verified', async () => {
    const account = await newAccount(shop)
    const mail = 'opfer@example.org'
    await account.call('clients/edit', { data: { mail } })
    expect(outcomeOf(await shop.call('clients/exists', { mail }))).toEqual([200, false])
    const { hash } = (await shop.call('clients/getPasswordHash', { mail })).json.data
    await shop.call('clients/resetPassword', { hash, password: 'x' })
    expect(outcomeOf(await shop.call('clients/exists', { mail }))).toEqual([200, account.id])
  })
})

test('a mail is found in any case, with any further parameters', async () => {
  const { id } = await withMail('Groß@Example.org')
  const billing = { gender: 'm', last_name: 'Groß', filter: [], inshop: true }
  const exists = async (body: object, at = shop) => outcomeOf(await at.call('clients/exists', { ...billing, ...body }))
  expect(await exists({ mail: 'groß@example.ORG' })).toEqual([200, id])
  expect(await exists({ mail: 'groß@example.ORG' }, other)).toEqual([200, false])
  expect(await exists({ mail: 'gross@example.org' })).toEqual([200, false])
  for (const nothing of [{}, { mail: '' }, { mail: null }]) expect(await exists(nothing)).toEqual([200, false])
  expect(await exists({ mail: 'kein' })).toEqual([400, 'validation_failed'])
})

test('the table contains no password and no token in plain text', async () => {
  const password = passwordOf('KANARIENVOGEL')
  const data = { mail: 'kanarie@example.org', password, password_repeat: 'KANARIENVOGEL' }
  const registered = await register(merchant, { mail: data.mail }, password)
  const second = await registration(data)
  await shop.call('clients/activate', { hash: second.lostpassword_hash })
  const account = await signedIn(shop, data)
  const { token } = account
  const { hash } = (await shop.call('clients/getPasswordHash', data)).json.data
  const changed = passwordOf('GEAENDERT')
  await account.call('clients/edit', { data: { password: changed, password_repeat: 'KANARIENVOGEL' } })
  const lines = (await tableLines()).join('\n')
  expect(lines).toContain('kanarie@example.org')
  for (const secret of [
    password,
    changed,
    'KANARIENVOGEL',
    token,
    hash,
    registered.lostpassword_hash,
    second.lostpassword_hash,
  ]) {
    expect(lines).not.toContain(secret)
    expect(lines).not.toContain(Buffer.from(secret).toString('base64').slice(0, 16))
  }
})
