import type { Locator, Page } from 'playwright-core'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { call, type Json } from './harness.ts'

// The demo shop as somebody uses it who reads it, or has it read out: by roles and names, in German.

/** Who buys, by the labels of the fields. Each test has a mail of its own, by which its orders are found. */
export const buyer = {
  Vorname: 'Ada',
  Nachname: 'Beispiel',
  'Straße und Hausnummer': 'Am Hang 3',
  PLZ: '01067',
  Ort: 'Dresden',
} as const

/** A mail that nobody else has. */
export const newMail = (): string => `ada.${crypto.randomUUID()}@example.org`

/** The page's heading, when it is there. */
export const headed = async (page: Page, name: string | RegExp): Promise<Locator> => {
  const heading = page.getByRole('heading', { level: 1, name })
  await heading.waitFor()
  return heading
}

/** What the page says of something: the text beside a term. */
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

/** Puts a wine of the list into the basket, the nth that is to be had; answers its name. */
export const putIntoBasket = async (page: Page, nth = 0): Promise<string> => {
  const button = page.getByRole('button', { name: /in den Warenkorb$/ }).nth(nth)
  const name = (await button.getAttribute('aria-label'))?.replace(/ in den Warenkorb$/, '') ?? ''
  await button.click()
  await page.getByRole('status').getByText(`${name} liegt im Warenkorb.`).waitFor()
  return name
}

/** Goes to the basket by the link at the head of each page. */
export const openBasket = async (page: Page): Promise<void> => {
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Warenkorb/ })
    .click()
  await headed(page, 'Warenkorb')
}

/** The fields of an address. */
export const fillAddress = async (page: Page): Promise<void> => {
  for (const [label, text] of Object.entries(buyer)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** From the basket to the checkout. */
export const goToCheckout = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Zur Kasse' }).click()
  await headed(page, 'Kasse')
}

/** Chooses how to pay, and asks for the order to be read once more. */
export const choose = async (page: Page, payment: string): Promise<void> => {
  await page.getByRole('radio', { name: new RegExp(`^${payment}`) }).check()
  await page.getByRole('checkbox', { name: 'Ich bin mindestens 18 Jahre alt.' }).check()
  await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
}

/** Chooses how to pay, and goes on to where the order is read once more. */
export const review = async (page: Page, payment: string): Promise<void> => {
  await choose(page, payment)
  await page.getByRole('heading', { name: 'Prüfen und bestellen' }).waitFor()
}

/** From the basket to the review of an order, as a guest. */
export const checkOut = async (page: Page, mail: string, payment: string): Promise<void> => {
  await goToCheckout(page)
  await page.getByLabel('E-Mail', { exact: true }).fill(mail)
  await fillAddress(page)
  await review(page, payment)
}

/** The button that orders. */
export const order = (page: Page): Locator => page.getByRole('button', { name: 'Zahlungspflichtig bestellen' })

/** The number of the order that a page confirms. */
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

/** Signs a client in. */
export const signIn = async (page: Page, mail: string, secret: string): Promise<void> => {
  await headed(page, 'Anmelden')
  await page.getByLabel('E-Mail', { exact: true }).fill(mail)
  await page.getByLabel('Passwort', { exact: true }).fill(secret)
  await page.getByRole('main').getByRole('button', { name: 'Anmelden' }).click()
}

/** Types a new password, and once more. */
export const setPassword = async (page: Page, secret: string): Promise<void> => {
  await page.getByLabel('Passwort', { exact: true }).fill(secret)
  await page.getByLabel('Passwort wiederholen').fill(secret)
}

let session: Promise<string> | undefined

const signedIn = async (): Promise<string> => {
  const { authid, token } = credentialsOf('elbufer')
  return (await call('/service/login', { authid, token })).json.token
}

/** Calls a Service route as the shop's merchant. */
export const asMerchant = async (route: string, body: object): Promise<Json> => {
  session ??= signedIn()
  return (await call(`/service/${route}`, body, { token: await session })).json
}

/** What the merchant finds ordered by somebody, the first order first. */
export const ordersOf = async (mail: string): Promise<Json[]> => {
  const { data } = await asMerchant('orders/getAll', { include: 'billing', pageSize: 100 })
  const own = data.filter(({ billing }: Json) => billing.mail === mail).toReversed()
  return Promise.all(
    own.map(async ({ uuid }: Json) => (await asMerchant('orders/get', { uuid, include: 'items' })).data),
  )
}
