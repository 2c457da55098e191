import type { Locator, Page } from 'playwright-core'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { call, type Json } from './harness.ts'

// Steps in the demo shop, by roles and accessible names, in German.

/** The buyer by field labels. Each test has its own mail, by which its orders are found. */
export const buyer = {
  Vorname: 'Ada',
  Nachname: 'Beispiel',
  'Straße und Hausnummer': 'Am Hang 3',
  PLZ: '01067',
  Ort: 'Dresden',
} as const

export const newMail = (): string => `ada.${crypto.randomUUID()}@example.org`

/** Waits for the heading of a page. */
export const headed = async (page: Page, name: string | RegExp): Promise<Locator> => {
  const heading = page.getByRole('heading', { level: 1, name })
  await heading.waitFor()
  return heading
}

/** The definition of a term. */
export const said = (page: Page, term: string): Promise<string> =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${term}$`) })
    .first()
    .locator('xpath=following-sibling::dd')
    .innerText()

/** The first amount in a German text, in cents. */
export const centsIn = (text: string): number => {
  const [, euros = '', cents = ''] = /([\d.]+),(\d\d)\s*€/.exec(text) ?? []
  if (!cents) throw new Error(`no amount is in "${text}"`)
  return Number(euros.replaceAll('.', '')) * 100 + Number(cents)
}

/** Adds the nth available wine of the list to the basket; returns its name. */
export const putIntoBasket = async (page: Page, nth = 0): Promise<string> => {
  const button = page.getByRole('button', { name: /in den Warenkorb$/ }).nth(nth)
  const name = (await button.getAttribute('aria-label'))?.replace(/ in den Warenkorb$/, '') ?? ''
  await button.click()
  await page.getByRole('status').getByText(`${name} liegt im Warenkorb.`).waitFor()
  return name
}

export const openBasket = async (page: Page): Promise<void> => {
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Warenkorb/ })
    .click()
  await headed(page, 'Warenkorb')
}

export const fillAddress = async (page: Page): Promise<void> => {
  for (const [label, text] of Object.entries(buyer)) await page.getByLabel(label, { exact: true }).fill(text)
}

export const goToCheckout = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Zur Kasse' }).click()
  await headed(page, 'Kasse')
}

/** Chooses a payment type and submits the details. */
export const choose = async (page: Page, payment: string): Promise<void> => {
  await page.getByRole('radio', { name: new RegExp(`^${payment}`) }).check()
  await page.getByRole('checkbox', { name: /^Ich bin mindestens 1[68] Jahre alt\.$/ }).check()
  await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
}

/** Chooses a payment type and continues to the review. */
export const review = async (page: Page, payment: string): Promise<void> => {
  await choose(page, payment)
  await page.getByRole('heading', { name: 'Prüfen und bestellen' }).waitFor()
}

/** Goes from the basket to the review of an order, as a guest. */
export const checkOut = async (page: Page, mail: string, payment: string): Promise<void> => {
  await goToCheckout(page)
  await page.getByLabel('E-Mail', { exact: true }).fill(mail)
  await fillAddress(page)
  await review(page, payment)
}

export const order = (page: Page): Locator => page.getByRole('button', { name: 'Zahlungspflichtig bestellen' })

/** Returns the number of the confirmed order. */
export const confirmed = async (page: Page): Promise<string> => {
  await headed(page, 'Vielen Dank für Ihre Bestellung')
  const text = await page.getByText('Wir haben Ihre Bestellung unter der Nummer').innerText()
  return /Nummer (\S+) aufgenommen/.exec(text)?.[1] ?? ''
}

/** Opens the link of the newest mail in the demo's mailbox. */
export const openMail = async (page: Page, subject: string): Promise<void> => {
  await page.getByRole('main').getByRole('link', { name: 'Postfach dieser Demo' }).click()
  await headed(page, 'Postfach dieser Demo')
  await page.getByRole('heading', { name: subject }).waitFor()
  await page.getByRole('link', { name: 'Link öffnen' }).first().click()
}

export const signIn = async (page: Page, mail: string, secret: string): Promise<void> => {
  await headed(page, 'Anmelden')
  await page.getByLabel('E-Mail', { exact: true }).fill(mail)
  await page.getByLabel('Passwort', { exact: true }).fill(secret)
  await page.getByRole('main').getByRole('button', { name: 'Anmelden' }).click()
}

export const setPassword = async (page: Page, secret: string): Promise<void> => {
  await page.getByLabel('Passwort', { exact: true }).fill(secret)
  await page.getByLabel('Passwort wiederholen').fill(secret)
}

const { authid, token: shopToken, deskToken } = credentialsOf('elbufer')
const sessions = new Map<string, Promise<string>>()

const signedIn = async (token: string): Promise<string> => (await call('/service/login', { authid, token })).json.token

const callerWith =
  (token: string) =>
  async (route: string, body: object): Promise<Json> => {
    const session = sessions.get(token) ?? signedIn(token)
    sessions.set(token, session)
    return (await call(`/service/${route}`, body, { token: await session })).json
  }

/** Calls a Service route as the shop's merchant. */
export const asMerchant = callerWith(shopToken)

/** Calls a Service route with the merchant's token of the role desk. */
export const asDesk = callerWith(deskToken)

/** Returns the orders of a mail address, the oldest first. */
export const ordersOf = async (mail: string): Promise<Json[]> => {
  const { data } = await asMerchant('orders/getAll', { include: 'billing', pageSize: 100 })
  const own = data.filter(({ billing }: Json) => billing.mail === mail).toReversed()
  return Promise.all(
    own.map(async ({ uuid }: Json) => (await asMerchant('orders/get', { uuid, include: 'items' })).data),
  )
}
