import { findMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { call, type Json, newShop } from '../support/harness.ts'

const shop = await newShop('Kellerei Umzug', ['invoice', 'cash'])
const edit = (data: Json) => shop.call('customers/edit', { data })
const merchant = async (): Promise<Json> => (await shop.call('customers/getMy')).json.data

test('customers/edit changes the given fields, and returns the merchant as getMy shows it', async () => {
  const before = await merchant()
  const { status, json } = await edit({
    company: 'Kellerei Umzug GmbH',
    contact_person: 'Frau Keller',
    tax_free_reason: 'Kleinunternehmer nach § 19 UStG',
    iban: 'de89 3704 0044 0532 0130 00',
    payment_types: ['paypal', 'invoice', 'paypal'],
    default_payment_type: 'invoice',
    freight_free_from: '150.00',
    redirect_hosts: ['shop.example.org'],
    ships_to: ['AT', 'de', 'at'],
    timezone: 'Asia/Kathmandu',
  })
  expect(status).toBe(200)
  expect(json.data).toEqual({
    ...before,
    company: 'Kellerei Umzug GmbH',
    contact_person: 'Frau Keller',
    tax_free_reason: 'Kleinunternehmer nach § 19 UStG',
    incomplete: { ...before.incomplete, xrechnungen: ['phone', 'mail'] },
    settings: {
      bank: { ...before.settings.bank, iban: 'DE89370400440532013000' },
      freightfreelimit: '150.00',
      payment_types: ['paypal', 'invoice'],
      default_payment_type: 'invoice',
      redirect_hosts: ['shop.example.org'],
      ships_to: ['at', 'de'],
      timezone: 'Asia/Kathmandu',
    },
  })
  expect(await merchant()).toEqual(json.data)
  expect((await shop.call('customers/availablePayments')).json.data).toEqual(['paypal', 'invoice'])
})

test('the time zone is that of the country until another is set', async () => {
  const zoneIn = async (change: Json): Promise<string> => (await edit(change)).json.data.settings.timezone
  expect(await zoneIn({ timezone: null })).toBe('Europe/Berlin')
  expect(await zoneIn({ countrycode: 'pt' })).toBe('Europe/Lisbon')
  expect(await zoneIn({ countrycode: 'at' })).toBe('Europe/Vienna')
  expect(await zoneIn({ timezone: 'Atlantic/Azores' })).toBe('Atlantic/Azores')
  expect(await zoneIn({ countrycode: null, timezone: null })).toBe('Europe/Berlin')
})

test('null clears a field, and the company is the name then', async () => {
  const { json } = await edit({
    company: null,
    iban: null,
    freight_free_from: null,
    redirect_hosts: [],
    ships_to: null,
  })
  expect(json.data).toMatchObject({
    company: 'Kellerei Umzug',
    settings: { bank: { iban: null }, redirect_hosts: [], ships_to: [] },
  })
})

test('a default payment type that is not offered is refused, and nothing is changed', async () => {
  const before = await merchant()
  const { status, json } = await edit({ payment_types: ['cash'], phone: '040 1' })
  expect([status, json.error, json.fields]).toEqual([
    400,
    'validation_failed',
    [{ path: 'data.default_payment_type', rule: 'offered', expected: expect.stringContaining('cash') }],
  ])
  expect(await merchant()).toEqual(before)
})

test.each(['name', 'authid', 'payment_provider', 'tokens', 'quota'])('%s cannot be changed', async name => {
  const before = await merchant()
  const { status, json } = await edit({ [name]: 'x', phone: '040 2' })
  expect([status, json.error, json.fields?.[0].path]).toEqual([400, 'field_not_writable', `data.${name}`])
  expect(await merchant()).toEqual(before)
})

test('64 concurrent changes of different fields are all there in the end', async () => {
  const fields = ['address', 'zip', 'city', 'phone', 'www', 'taxid', 'bankname', 'bank_owner']
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) => edit({ [fields[n % fields.length] ?? '']: `${n}` })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { address, zip, city, phone, www, taxid, settings } = await merchant()
  const all = [address, zip, city, phone, www, taxid, settings.bank.bankname, settings.bank.owner]
  expect(all.map((value, n) => Number(value) % fields.length === n)).toEqual(all.map(() => true))
})

test('the route is another merchant’s own: no field names a merchant', async () => {
  const other = await newShop('Kellerei Nachbar')
  await other.call('customers/edit', { data: { city: 'Anderswo' } })
  expect((await merchant()).city).not.toBe('Anderswo')
  expect((await call('/service/customers/edit', { data: { city: 'X' } })).status).toBe(401)
})

test('a desk sees what invoices lack of the merchant, and what XRechnungen lack besides; a shop does not', async () => {
  const bare = await newShop('Kellerei Ohne Anschrift')
  const shown = async (session?: string) =>
    (await bare.call('customers/getMy', {}, session ? { token: session } : {})).json.data.incomplete
  const contact = ['contact_person', 'phone', 'mail']
  expect(await shown()).toEqual({ invoices: ['address', 'zip', 'city', 'taxid'], xrechnungen: contact })
  const set = async (data: object) => (await bare.call('customers/edit', { data })).json.data.incomplete
  const address = { address: 'Kai 1', zip: '20457', city: 'Hamburg' }
  expect((await set({ ...address, vatid: 'DE136695976', tax_free: 1 })).invoices).toEqual(['tax_free_reason'])
  const whole = {
    tax_free_reason: 'Kleinunternehmer',
    contact_person: 'Ute Kai',
    phone: '+49 40 555',
    mail: 'a@example.org',
  }
  expect(await set(whole)).toEqual({ invoices: [], xrechnungen: [] })
  const { token } = await issueToken(await findMerchant(String(bare.id)), 'shop', { role: 'shop' })
  const { json } = await call('/service/login', { token, authid: bare.authid })
  expect(await shown(json.token)).toBeUndefined()
})
