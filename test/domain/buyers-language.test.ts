import { type ErrorWord, errors } from '../../shared/contract/errors.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket } from '../support/checkout.ts'
import { newShop, type Shop } from '../support/harness.ts'

const shopIn = async (countrycode: string): Promise<Shop> => {
  const shop = await newShop()
  await updateItem(key('merchant', { merchant: shop.id }), { set: { countrycode } })
  return shop
}

const [german, swiss, french] = [await shopIn('de'), await shopIn('ch'), await shopIn('fr')]
const login = { mail: 'niemand@example.org', password: 'x' }
const [inGerman, inEnglish] = [
  /^Die E-Mail-Adresse oder das Passwort ist falsch/,
  /^The mail address or the password is wrong/,
]

const detailsOf = async (shop: Shop, route: string, body: object, headers = {}): Promise<string> => {
  const { status, json } = await shop.call(route, body, { headers })
  expect(status).toBeGreaterThanOrEqual(400)
  return json.details
}

test.each([
  ['the merchant’s, German', german, {}, inGerman],
  ['the merchant’s, German in Switzerland', swiss, {}, inGerman],
  ['the merchant’s, English in France', french, {}, inEnglish],
  ['the request’s', german, { language: 'en' }, inEnglish],
  ['the request’s with its country', french, { language: 'de_DE' }, inGerman],
  ['the merchant’s where the request’s is unknown', french, { language: 'it' }, inEnglish],
  ['the merchant’s where the request’s is none', german, { language: false }, inGerman],
])('a buyer’s refusal is in the language of the request, else of the merchant: %s', async (_, shop, body, sentence) => {
  const answer = await shop.call('clients/login', { ...login, ...body })
  expect([answer.status, answer.json.error]).toEqual([400, 'login_failed'])
  expect(answer.json.details).toMatch(sentence)
})

test('goods are named in a refusal', async () => {
  const cellar = await newCellar('Kellerei Sprache')
  const data = { billing: { last_name: 'Krug', address: 'Weg 2', zip: '01067', city: 'Dresden' } }
  const order = { ...data, payment_type: 'invoice', items: itemsOf(cellar, { gone: 1 }) }
  expect(await detailsOf(cellar, 'orders/add', { data: order })).toBe(
    'Ausverkauft: Dieser Artikel ist zurzeit nicht erhältlich.',
  )
  expect(await detailsOf(cellar, 'orders/add', { data: order, language: 'en' })).toMatch(/^Ausverkauft: .* must be/)
  const uuid = await newBasket(cellar, cellar.wine.riesling ?? 0, 1)
  const goods = { item_type: 'wine', item_id: 1, quantity: 1 }
  expect(await detailsOf(cellar, 'baskets/addItem', { uuid, data: goods })).toMatch(/^Einen der Artikel/)
})

test('refusals name buyers’ fields as forms do; refusals of other fields are in English, for developers', async () => {
  const bad = { data: { mail: 'x', password: '', zip: 7 } }
  expect(await detailsOf(german, 'clients/register', bad)).toBe(
    'Bitte prüfen Sie Ihre Angaben: E-Mail, Passwort, Postleitzahl.',
  )
  expect(await detailsOf(french, 'clients/register', bad)).toMatch(/^`data\.mail` must be/)
  expect(await detailsOf(german, 'clients/login', { ...login, caller: 7 })).toMatch(/^`caller` must be/)
  const nameless = { data: { billing: { address: 'Weg 2', zip: '01067', city: 'Dresden' } } }
  expect(await detailsOf(german, 'orders/add', nameless)).toBe('Bitte prüfen Sie Ihre Angaben: Name.')
  expect(await detailsOf(german, 'orders/add', { data: {} })).toMatch(/^`data` must have billing_id or billing/)
  expect(await detailsOf(german, 'orders/get', { id: 1 })).toBe('There is no such order.')
})

test('a refusal without a session is in the merchant’s language', async () => {
  expect(await detailsOf(german, 'clients/get', {})).toBe('Bitte melden Sie sich an.')
  const headers = { 'client-authorization': 'x' }
  expect(await detailsOf(german, 'clients/get', { language: 'en' }, headers)).toMatch(/^The client token/)
  const { json } = await german.call('clients/get', {}, { token: 'x' })
  expect(json.details).toMatch(/^The session token is malformed/)
})

test('discount codes do not exist, in the form that existing clients read', async () => {
  const code = { hash: 'SOMMER', basket_uuid: crypto.randomUUID(), filter: [] }
  const { status, json } = await german.call('campaigns/find', code)
  expect([status, json]).toEqual([
    404,
    {
      ...{ info: 'error', code: 404, error: 'campaign_not_found', errors: ['CAMPAIGN_NOT_FOUND'] },
      details: 'Diesen Rabattcode gibt es nicht, oder er gilt nicht mehr.',
      request_id: expect.any(String),
    },
  ])
  expect(await detailsOf(german, 'campaigns/find', { ...code, language: 'en' })).toMatch(/^There is no such discount/)
})

test('every refusal that buyers may read has a German sentence, except those for developers', () => {
  const ofDevelopers: ErrorWord[] = ['identifier_conflict', 'missing_identifier', 'reference_not_found']
  ofDevelopers.push('redirect_url_invalid', 'idempotency_key_reused')
  const words = routes.filter(({ forBuyers }) => forBuyers).flatMap(route => route.errors)
  const english = words.filter(word => errors[word].length < 3)
  expect(english.filter(word => !ofDevelopers.includes(word))).toEqual([])
})
