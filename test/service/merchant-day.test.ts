import sharp from 'sharp'
import { findMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { itemsOf } from '../support/cellar.ts'
import { setMerchant, setStock } from '../support/checkout.ts'
import { brokenInvoiceRules, statedAmounts } from '../support/en16931.ts'
import { call, type Json, twin } from '../support/harness.ts'
import { newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'
import { patience } from '../support/tool.ts'

// One day of a merchant over HTTPS alone, on the twin with built functions and a provider with a memory.

const paypal = await newPayPalCheckout('Kellerei Tagwerk')
const { shop } = paypal
const secco = shop.wine.secco as number
await setStock(shop, 'wine', secco, 100)
await setMerchant(shop, { payment_types: ['paypal', 'prepaid', 'invoice'] })
const seller = { address: 'Kai 1', zip: '20457', city: 'Hamburg', countrycode: 'de', vatid: 'DE136695976' }

const { token: apiToken } = await issueToken(await findMerchant(String(shop.id)), 'the desk', { role: 'desk' })
const { token } = (await call('/service/login', { token: apiToken, authid: shop.authid })).json
const desk = async (route: string, body: Json = {}): Promise<Json> => {
  const { status, json } = await call(`/service/${route}`, body, { token })
  if (status !== 200) throw new Error(`${route}: ${status} ${json.error} ${json.details}`)
  return json
}

const steps = (order: Json, ...events: Json[]): Promise<Json[]> =>
  events.reduce<Promise<Json[]>>(
    async (done, event) => [...(await done), (await desk('orders/advance', { id: order.id, ...event })).data.status],
    Promise.resolve([]),
  )

test(
  'a merchant works through its day without the operator',
  async () => {
    await desk('customers/edit', { data: { ...seller, iban: 'DE89370400440532013000', phone: '040 123' } })

    // An order in advance: found, paid, packed, shipped.
    const prepaid = (await paypal.add({ payment_type: 'prepaid', items: itemsOf(shop, { secco: 6 }) })).json.data
    const today = prepaid.crstamp.slice(0, 10)
    const waiting = await desk('orders/getAll', { filter: { status: ['need_payment'] }, from: today, to: today })
    expect(waiting.data.map(({ id }: Json) => id)).toEqual([prepaid.id])
    const ship = { event: 'ship', carrier: 'DHL', tracking: '00340434161094021501' }
    expect(await steps(prepaid, { event: 'paid' }, { event: 'pack' }, ship)).toEqual([
      'payed',
      'need_package',
      'in_delivery',
    ])

    // An order at PayPal: one of two bottles breaks.
    const { answer, request, id } = await paypal.approved()
    await paypal.finish(request)
    const { uuid } = answer.json.data
    const [position] = (await desk('orders/get', { uuid, include: 'items' })).data.positions
    const credit = { uuid, positions: [{ id: position.id, quantity: 1 }], refund: 'provider', restock: 1 }
    const preview = await desk('orders/credit', { ...credit, dry_run: 1 })
    expect((await payPalOrder(id)).refundedCents).toBe(0)
    const credited = await desk('orders/credit', credit)
    expect(credited.credit.gross).toBe(preview.credit.gross)
    expect(credited).toMatchObject({ data: { credited: 'part', status: 'need_package' }, credit: { gross: '12.00' } })
    expect(await payPalOrder(id)).toMatchObject({ refundedCents: 1200, secondCaptures: 0 })
    expect((await desk('payments/getOpen')).data).toEqual([])
    const history = (await desk('orders/history', { uuid })).data
    expect(history.map(({ event }: Json) => event)).toEqual(['add', 'payment_completed', 'credit', 'refunded'])

    // Stock, a price and a picture.
    const goods = { item_type: 'wine', item_id: secco }
    expect((await desk('stocks/get', { items: [goods] })).data[0].stock).toBe(100 - 6 - 2 + 1)
    expect((await desk('stocks/add', { ...goods, quantity: 12 })).data.stock).toBe(105)
    expect((await desk('wines/edit', { id: secco, data: { gross: '13.00' } })).data.gross).toBe('13.00')
    const picture = await sharp({ create: { width: 300, height: 900, channels: 3, background: '#7a1f3d' } })
      .png()
      .toBuffer()
    const record = { type: 'wine', id: secco }
    const wanted = { kind: 'picture', record, name: 'secco.png', size: picture.length, type: 'image/png' }
    const { upload, file } = (await desk('files/add', wanted)).data
    const form = new FormData()
    for (const [name, value] of Object.entries(upload.fields)) form.append(name, value as string)
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'secco.png')
    expect((await fetch(upload.url, { method: 'POST', body: form })).ok).toBe(true)
    const { image } = (await desk('files/commit', { file })).data
    expect((await fetch(`${twin.url}${image}?w=64`)).ok).toBe(true)
    expect((await desk('wines/get', { id: secco })).data.image).toBe(image)

    // The invoice, with the e-invoice in it, and the credit.
    const linked = async (document: string, format: string) =>
      (await fetch((await desk('orders/getDocument', { uuid, document, format })).data.url)).text()
    expect(await linked('invoice', 'pdf')).toContain('/AFRelationship /Alternative')
    for (const [document, gross] of [
      ['invoice', 2400],
      ['credit_advice', 1200],
    ] as const) {
      const xml = await linked(document, 'xml')
      expect(brokenInvoiceRules(xml)).toEqual([])
      expect(statedAmounts(xml)).toMatchObject({ gross })
    }
    expect(await paypal.doubles()).toEqual([])
  },
  patience,
)
