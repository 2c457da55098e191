import { setMerchant } from '../support/checkout.ts'
import { damagingProxy } from '../support/damaging-proxy.ts'
import { type Json, newShop, twin } from '../support/harness.ts'
import { givePayPal } from '../support/paypal/account.ts'
import { clean, ended, leftIn, smoke, startSmoke } from '../support/smoke-walk.ts'
import { patience } from '../support/tool.ts'

test(
  'at PayPal a payment is opened, and not paid',
  async () => {
    const shop = await newShop('Kellerei Ohnegeld', ['invoice', 'paypal'])
    await givePayPal(shop)
    await setMerchant(shop, { payment_provider: 'paypal' })
    const { code, out, lines } = await smoke(twin.url, shop, '--show')
    if (code !== 0) throw new Error(`the smoke test ended with ${code}: ${out}`)
    expect(lines.filter(line => line.includes('not paid'))).toHaveLength(2)
    const placed: Json[] = (await shop.call('orders/getAll', { include: 'documents' })).json.data
    expect(placed.map(({ documents }) => documents.payments)).toEqual([[], []])
    expect(await leftIn(shop)).toEqual(clean(2))
  },
  patience,
)

test(
  'each damaged answer is reported as a difference, and records are found even if the answer was lost',
  async () => {
    const shop = await newShop('Kellerei Bruch', ['prepaid'])
    let shown = 0
    const url = await damagingProxy(twin.url, {
      '/service/addresses/get': body => body.replace('"Meißen"', '"Meissen"'),
      '/service/customers/getMy': body => body.replace('"phone":', '"telephone":'),
      '/service/categories/getAll': 'fails',
      '/service/packaging/getAll': 'hangs',
      '/service/orders/add': 'fails',
      // Public wines follow their edits late; that is no difference.
      '/wines/getPublic': body => (body.includes('"10.00"') && ++shown <= 3 ? body.replace('"10.00"', '"9.50"') : body),
    })
    const { code, out, lines } = await smoke(url, shop, '--timeout', '10')
    const different = (route: string) => lines.filter(line => line.startsWith(`${route} `) && line.includes('DIFFERS'))
    expect([code, lines.at(-1)]).toEqual([1, expect.not.stringContaining(' 0 differences')])
    expect(different('/service/addresses/get')[0]).toContain('data.city is "Meissen" instead of "Meißen"')
    expect(different('/service/customers/getMy')[0]).toContain('violates its schema at data.phone')
    expect(different('/service/categories/getAll')[0]).toContain('500 instead of 200')
    expect(different('/service/packaging/getAll')[0]).toContain('no answer within 10 s')
    expect(different('/service/orders/add')).not.toEqual([])
    expect([shown > 3, different('/wines/getPublic')]).toEqual([true, []])
    expect(different('/service/orders/get')[0]).toContain('not walked: an earlier step left no order')
    expect(out).not.toContain(shop.apiToken)
    expect(await leftIn(shop)).toEqual(clean(1))
  },
  patience,
)

test(
  'an interrupted walk cleans up, and ends with 1',
  async () => {
    const shop = await newShop('Kellerei Abbruch', ['prepaid'])
    // In the step after the first order. Twice, as from a terminal: npm passes the signal on.
    const interrupt = (answer: string) => {
      for (const _ of [1, 2]) child.kill('SIGINT')
      return answer
    }
    const child = startSmoke(await damagingProxy(twin.url, { '/service/orders/get': interrupt }), shop)
    const { code, lines } = await ended(child)
    expect([code, lines.at(-1)]).toEqual([1, expect.not.stringContaining(' 0 differences')])
    expect(lines.some(line => line.includes('DIFFERS: interrupted'))).toBe(true)
    expect(await leftIn(shop)).toEqual(clean(1, 1))
  },
  patience,
)
