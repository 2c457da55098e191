import type { Page } from 'playwright-core'
import { inBrowser, visitor } from '../support/browser.ts'
import {
  checkOut,
  confirmed,
  headed,
  newMail,
  openBasket,
  order,
  ordersOf,
  putIntoBasket,
  review,
} from '../support/demo-shop.ts'

/** Places an order by PayPal, up to the approval page. */
const pay = async (mail = newMail()) => {
  const visit = await visitor('/shop/wines?type=destilate')
  const { page } = visit
  const wine = await putIntoBasket(page)
  await openBasket(page)
  await checkOut(page, mail, 'PayPal')
  await order(page).click()
  await page.getByRole('button', { name: 'Zustimmen' }).waitFor()
  return { ...visit, mail, wine }
}

const isInBasket = async (page: Page, wine: string): Promise<boolean> => {
  await openBasket(page)
  return page.getByRole('textbox', { name: `Anzahl: ${wine}` }).isVisible()
}

inBrowser('an order that is paid at the payment service', () => {
  test('is confirmed as paid when the payment is approved', async () => {
    const { page, mail } = await pay()
    await page.getByRole('button', { name: 'Zustimmen' }).click()
    const number = await confirmed(page)
    await page.getByText('Die Zahlung ist eingegangen.').first().waitFor()
    expect(await ordersOf(mail)).toMatchObject([{ number, status: 'need_package', payment_type: 'paypal' }])
    await openBasket(page)
    await page.getByText('Ihr Warenkorb ist leer.').waitFor()
  })

  test('is cancelled when the buyer cancels there, and its basket is restored', async () => {
    const { page, mail, wine } = await pay()
    await page.getByRole('button', { name: 'Abbrechen' }).click()
    await headed(page, 'Zahlung abgebrochen')
    expect(await isInBasket(page, wine)).toBe(true)
    expect(await ordersOf(mail)).toMatchObject([{ status: 'cancelled' }])
  })

  test('is replaced by an order placed after going back in the browser', async () => {
    const { page, mail, wine } = await pay()
    await page.goBack()
    await headed(page, 'Kasse')
    await page.getByText('wartet eine Bestellung auf ihre Zahlung').waitFor()
    await page.getByRole('link', { name: 'Warenkorb ändern' }).click()
    await page.getByRole('textbox', { name: `Anzahl: ${wine}` }).fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Warenkorb 2 Stück' }).waitFor()
    await page.getByRole('link', { name: 'Zur Kasse' }).click()
    await headed(page, 'Kasse')
    await review(page, 'Rechnung')
    await order(page).click()
    const number = await confirmed(page)
    expect(await ordersOf(mail)).toMatchObject([
      { status: 'cancelled', payment_type: 'paypal', positions: [{ quantity: 1 }] },
      { number, status: 'need_package', payment_type: 'invoice', positions: [{ quantity: 2 }] },
    ])
  })

  test('is shown as pending until the money has arrived', async () => {
    const { page, mail } = await pay()
    const service = page.url()
    await page.getByRole('radio', { name: 'Die Zahlung bleibt offen.' }).check()
    await page.getByRole('button', { name: 'Zustimmen' }).click()
    await headed(page, 'Die Zahlung ist noch unterwegs')
    const back = page.url()
    expect(await ordersOf(mail)).toMatchObject([{ status: 'need_payment', paid: false }])
    await page.getByRole('button', { name: 'Noch einmal nachfragen' }).click()
    await page.getByRole('status').getByText('Die Zahlung ist noch unterwegs').waitFor()

    await page.goto(service)
    await page.getByRole('button', { name: 'Das Geld eintreffen lassen' }).click()
    const number = await confirmed(page)
    expect(new URL(page.url()).searchParams.get('pid')).toBe(new URL(back).searchParams.get('pid'))
    expect(await ordersOf(mail)).toMatchObject([{ number, status: 'need_package' }])
  })
})
