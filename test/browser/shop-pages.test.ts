import type { Page } from 'playwright-core'
import { barriers, inBrowser, screenshot, visitor, type Width, widths } from '../support/browser.ts'
import {
  buyer,
  confirmed,
  fillAddress,
  goToCheckout,
  headed,
  newMail,
  openBasket,
  openMail,
  order,
  ordersOf,
  putIntoBasket,
  review,
  said,
  setPassword,
  signIn,
} from '../support/demo-shop.ts'

/** Returns the accessibility violations of a page at a width, and if it scrolls sideways. */
const faultsAt = async (page: Page, name: string, width: Width): Promise<string[]> => {
  await page.setViewportSize({ width: widths[width], height: 800 })
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  await screenshot(page, `${name}-${width}`)
  const faults = [...(await barriers(page)), ...(isTooWide ? ['scrolls sideways'] : [])]
  return faults.map(fault => `${name}, ${width}: ${fault}`)
}

const password = 'kellermeister-7'

/** A visitor that checks each page at both widths; `seen` are the faults. */
const onlooker = async (path: string) => {
  const visit = await visitor(path)
  const { page } = visit
  const seen: string[] = []
  const lookAgain = async (name: string) => {
    for (const width of ['phone', 'desktop'] as const) seen.push(...(await faultsAt(page, name, width)))
  }
  /** Checks a page after navigation: it has its own title, and its heading has the focus. */
  const look = async (name: string, title: string, heading = title) => {
    await (await headed(page, heading)).and(page.locator(':focus')).waitFor()
    expect([name, await page.title()]).toEqual([name, `${title} · Weinkontor Elbufer`])
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await lookAgain(name)
  }
  const main = page.getByRole('main')
  const footer = (link: string) => page.getByRole('contentinfo').getByRole('link', { name: link }).click()
  return { ...visit, main, footer, seen, look, lookAgain }
}

inBrowser('every page is accessible on a phone and on a desktop, and has its own title:', () => {
  test('catalogue and information', async () => {
    const { page, main, footer, seen, look, lookAgain } = await onlooker('/')
    await headed(page, 'Gute Flaschen, ehrlich beschrieben')
    expect(await page.title()).toBe('Weinkontor Elbufer')
    await lookAgain('start')
    await page.getByRole('link', { name: 'Alle Weine', exact: true }).click()
    await main.getByRole('article').first().waitFor()
    await look('list', 'Unsere Weine')
    const wine = main.getByRole('article').first().getByRole('heading').getByRole('link')
    const name = await wine.innerText()
    await wine.click()
    await look('wine', name)
    await footer('Versand und Zahlung')
    await look('shipping', 'Versand und Zahlung')
    await footer('Impressum')
    await look('imprint', 'Impressum')
    await footer('Datenschutz')
    await look('privacy', 'Datenschutz')
    await page.getByRole('link', { name: /^Warenkorb/ }).click()
    await look('empty-basket', 'Warenkorb')
    expect(seen).toEqual([])
  })

  test('basket and checkout, with a declined payment and another payment type after it', async () => {
    const { page, main, footer, seen, look, lookAgain } = await onlooker('/shop/wines?type=destilate')
    const mail = newMail()
    const wine = await putIntoBasket(page)
    await page.getByRole('link', { name: /^Warenkorb/ }).click()
    await look('basket', 'Warenkorb')
    await page.getByRole('link', { name: 'Zur Kasse' }).click()
    await look('checkout', 'Kasse')
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByText('Bitte ausfüllen.').first().waitFor()
    await lookAgain('checkout-refused')
    await page.getByLabel('E-Mail', { exact: true }).fill(mail)
    await fillAddress(page)
    await review(page, 'PayPal')
    await lookAgain('review')
    await order(page).click()
    await page.getByRole('button', { name: 'Ablehnen' }).click()
    await look('declined', 'Die Zahlung wurde abgelehnt')
    await openBasket(page)
    await main.getByRole('link', { name: wine }).waitFor()
    await goToCheckout(page)
    // The form is still filled in.
    for (const [label, text] of Object.entries({ ...buyer, 'E-Mail': mail }))
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(text)
    await review(page, 'Vorkasse')
    await order(page).click()
    await look('confirmation', 'Vielen Dank für Ihre Bestellung')
    const number = await confirmed(page)
    expect(await said(page, 'IBAN')).toBe('DE89 3704 0044 0532 0130 00')
    expect(await said(page, 'Verwendungszweck')).toBe(number)
    expect(await ordersOf(mail)).toMatchObject([{ status: 'cancelled' }, { number, status: 'need_payment' }])
    await footer('Postfach dieser Demo')
    await look('mailbox', 'Postfach dieser Demo')
    await page.getByRole('heading', { name: `Ihre Bestellung ${number}` }).waitFor()
    expect(seen).toEqual([])
  })

  test('account: registration, an order, its page, and a new password', async () => {
    const { page, main, seen, look } = await onlooker('/shop/wines?type=destilate')
    const mail = newMail()
    const wine = await putIntoBasket(page)
    await page.getByRole('link', { name: 'Anmelden' }).click()
    await look('sign-in', 'Anmelden')
    await page.getByRole('link', { name: 'Konto anlegen' }).click()
    await look('register', 'Konto anlegen')
    await page.getByLabel('E-Mail', { exact: true }).fill(mail)
    await setPassword(page, password)
    await fillAddress(page)
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await look('registered', 'Fast fertig')
    await openMail(page, 'Bitte bestätigen Sie Ihre Anmeldung')
    await look('activate', 'Konto bestätigen')
    await page.getByRole('button', { name: 'Konto bestätigen' }).click()
    await look('activated', 'Ihr Konto ist bereit')
    await main.getByRole('link', { name: 'Anmelden' }).click()
    await signIn(page, mail, password)
    await headed(page, 'Guten Tag, Ada Beispiel')
    await page.getByText('Sie haben noch nichts bestellt.').waitFor()

    await openBasket(page)
    await goToCheckout(page)
    await page.getByText('Am Hang 3').waitFor()
    await review(page, 'Rechnung')
    await order(page).click()
    const number = await confirmed(page)
    await page.getByRole('link', { name: 'Mein Konto' }).click()
    await page.getByRole('link', { name: `Bestellung ${number}` }).waitFor()
    await look('account', 'Mein Konto', 'Guten Tag, Ada Beispiel')
    await page.getByRole('link', { name: `Bestellung ${number}` }).click()
    await look('account-order', `Bestellung ${number}`)
    await page.getByText('wird gepackt').waitFor()
    await page.getByRole('heading', { name: wine }).waitFor()
    await main.getByRole('link', { name: 'Mein Konto' }).click()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.getByRole('status').getByText('Sie sind abgemeldet.').waitFor()

    await page.getByRole('link', { name: 'Anmelden' }).click()
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click()
    await look('forgot', 'Passwort vergessen')
    await page.getByLabel('E-Mail', { exact: true }).fill(mail)
    await page.getByRole('button', { name: 'Link schicken' }).click()
    await openMail(page, 'Ein neues Passwort')
    await look('reset', 'Neues Passwort')
    await setPassword(page, `${password}-neu`)
    await page.getByRole('button', { name: 'Passwort setzen' }).click()
    await main.getByRole('link', { name: 'Anmelden' }).click()
    await signIn(page, mail, password)
    await page.getByRole('alert').getByText('E-Mail oder Passwort stimmen nicht').waitFor()
    await signIn(page, mail, `${password}-neu`)
    await headed(page, 'Guten Tag, Ada Beispiel')
    await page.getByRole('link', { name: `Bestellung ${number}` }).waitFor()
    expect(seen).toEqual([])
  })
})
