import { inBrowser, visitor } from '../support/browser.ts'
import {
  centsIn,
  checkOut,
  confirmed,
  newMail,
  openBasket,
  order,
  ordersOf,
  putIntoBasket,
  said,
} from '../support/demo-shop.ts'

inBrowser('an order by invoice', () => {
  test('has the total of the basket, and a double click orders once', async () => {
    const mail = newMail()
    const { page } = await visitor('/shop/wines?sort=cheap')
    const first = await putIntoBasket(page, 0)
    const second = await putIntoBasket(page, 1)
    await openBasket(page)
    await page.getByRole('button', { name: `Eine Flasche mehr: ${first}` }).click()
    await page.getByRole('status').getByText('Geändert.').waitFor()
    await page.getByRole('textbox', { name: `Anzahl: ${second}` }).fill('3')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Warenkorb 5 Stück' }).waitFor()

    const [one, other] = await page.getByRole('listitem').filter({ hasText: 'je ' }).allInnerTexts()
    const each = [one, other].map(text => centsIn(/je .*/.exec(text ?? '')?.[0] ?? ''))
    const goods = centsIn(await said(page, 'Warenwert'))
    expect(goods).toBe(2 * (each[0] ?? 0) + 3 * (each[1] ?? 0))
    const shippingText = await said(page, 'Versand')
    // Cheap bottles: beyond 150.00 sending is free, and nothing would be seen of it in the total.
    expect(goods).toBeLessThan(150_00)
    expect(centsIn(shippingText)).toBe(6_90)
    const total = centsIn(await said(page, 'Summe'))
    expect(total).toBe(goods + 6_90)

    await checkOut(page, mail, 'Rechnung')
    expect(centsIn(await said(page, 'Summe'))).toBe(total)
    expect(await said(page, 'Versand')).toBe(shippingText)
    expect(await order(page).evaluate(button => button.textContent)).toBe('Zahlungspflichtig bestellen')
    await order(page).dblclick()
    const number = await confirmed(page)
    expect(centsIn(await said(page, 'Summe'))).toBe(total)
    const orders = await ordersOf(mail)
    expect(orders).toMatchObject([{ number, status: 'need_package', gross: (total / 100).toFixed(2) }])

    await page.getByRole('link', { name: 'Postfach dieser Demo' }).first().click()
    await page.getByRole('heading', { name: `Ihre Bestellung ${number}` }).waitFor()
    await openBasket(page)
    await page.getByText('Ihr Warenkorb ist leer.').waitFor()
  })
})
