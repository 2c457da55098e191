import { keepPicture } from '../../shared/media/pictures/supply.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { setMerchant } from '../support/checkout.ts'
import { newAccount } from '../support/client-account.ts'
import { brokenInvoiceRules, statedAmounts } from '../support/en16931.ts'
import { pagesOf } from '../support/expertise-sheet-reader.ts'
import { schemaErrors } from '../support/factur-x-schema.ts'
import { type Json, newClient, type Shop } from '../support/harness.ts'
import { download } from '../support/pdf-files.ts'
import { pngOf } from '../support/picture-files.ts'
import { hookedTable, silent } from '../support/table-hook.ts'

const shop = await newCellar('Kellerei Beleg', ['invoice', 'prepaid'])
const merchant = shop.id
const address = { address: 'Kai 1', zip: '20457', city: 'Hamburg', countrycode: 'de' }
await setMerchant(shop, { ...address, vatid: 'DE136695976', iban: 'DE89370400440532013000', mail: 'kai@example.org' })
const [account, other] = [await newAccount(shop, address), await newAccount(shop)]
const table = hookedTable()

const add = async (data: object = {}, of = shop): Promise<Json> => {
  const order = {
    payment_type: 'invoice',
    billing_id: account.id,
    items: itemsOf(of, { riesling: 3, juice: 2 }),
    ...data,
  }
  return (await of.call('orders/add', { data: order })).json.data
}

type Wanted = { document?: string; format?: string; number?: number | string; incomplete?: number }

const ask = (order: Json, wanted: Wanted = {}, of: Pick<Shop, 'call'> = shop) =>
  of.call('orders/getDocument', { id: order.id, document: 'invoice', format: 'pdf', ...wanted })

const fileOf = async (order: Json, wanted: Wanted = {}): Promise<Buffer> => {
  const { status, json } = await ask(order, wanted)
  expect(status).toBe(200)
  const file = await download(json.data.url)
  expect(file.status).toBe(200)
  return file.bytes
}

/** The particulars that a refused document lacks. */
const lacksOf = ({ status, json }: { status: number; json: Json }): string[] => {
  expect([status, json.error]).toEqual([422, 'invoice_incomplete'])
  return json.fields.map(({ path }: { path: string }) => path)
}

const placeOf = (order: Json) => key('documentFile', { merchant, kind: 'invoice', id: order.documents.invoices[0].id })

const objectOf = ({ json }: { json: Json }): string => new URL(json.data.url).pathname

test('an invoice is a PDF with its XML inside, and the XML alone', async () => {
  const order = await add()
  const { json } = await ask(order)
  const file = await download(json.data.url)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.headers.get('content-disposition')).toContain(`Rechnung-${order.documents.invoices[0].number}.pdf`)
  expect(new Date(`${json.data.expires}Z`).getTime() - Date.now()).toBeLessThanOrEqual(300_000)
  const pdf = file.bytes
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.includes('/AFRelationship /Alternative')).toBe(true)
  expect(pagesOf(pdf).join(' ')).toContain('Rechnung')
  const xml = (await fileOf(order, { format: 'xml' })).toString()
  expect(brokenInvoiceRules(xml)).toEqual([])
  expect(schemaErrors(xml)).toEqual([])
  const { net, tax, gross } = statedAmounts(xml)
  const cents = [order.net, order.tax, order.gross].map(amount => Math.round(Number(amount) * 100))
  expect([net, tax, gross]).toEqual(cents)
})

test('a document is drawn once: later changes of order and merchant change none of its bytes', async () => {
  const order = await add()
  const [pdf, xml] = [await fileOf(order), await fileOf(order, { format: 'xml' })]
  await advanceOrder(merchant, order.id, 'ship', 'test')
  await setMerchant(shop, { company: 'Kai Wein KG' })
  expect((await fileOf(order)).equals(pdf)).toBe(true)
  expect((await fileOf(order, { format: 'xml' })).equals(xml)).toBe(true)
  await setMerchant(shop, { company: null })
})

test('requests at once get the same document', async () => {
  const order = await add()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(order)))
  expect(new Set(answers.map(objectOf)).size).toBe(1)
  const stored = await getItem(key('documentFile', { merchant, kind: 'invoice', id: order.documents.invoices[0].id }))
  expect(objectOf(answers[0] as { json: Json })).toContain(stored?.pdf ?? '–')
})

test('of two that draw different documents, one is stored and both return it', async () => {
  const order = await add()
  const place = key('documentFile', { merchant, kind: 'invoice', id: order.documents.invoices[0].id })
  const first = await ask(await add())
  const stored = { pdf: objectOf(first).split('/').slice(-2).join('/'), xml: null }
  table.hook = async (name, text) => {
    if (name !== 'PutItemCommand' || !text.includes('#documents')) return
    table.hook = undefined
    await putItem(place, stored)
  }
  expect(objectOf(await ask(order))).toBe(objectOf(first))
})

test('a table that fails while a document is stored leaves nothing half done', async () => {
  const order = await add()
  table.hook = name => (name === 'PutItemCommand' ? silent() : undefined)
  expect((await ask(order)).status).toBe(503)
  table.hook = undefined
  expect((await fileOf(order)).length).toBeGreaterThan(5000)
})

test('a cancelled order has a credit advice, and still its invoice', async () => {
  const order = await add()
  expect((await ask(order, { document: 'credit_advice' })).json.error).toBe('document_not_found')
  const { json } = await shop.call('orders/checkout/cancel', { id: order.id })
  const xml = (await fileOf(order, { document: 'credit_advice', format: 'xml' })).toString()
  expect(xml).toContain('<ram:TypeCode>381</ram:TypeCode>')
  expect(xml).toContain(`<ram:IssuerAssignedID>${order.documents.invoices[0].number}</ram:IssuerAssignedID>`)
  expect(brokenInvoiceRules(xml)).toEqual([])
  const { number } = json.data.documents.creditAdvices[0]
  const pdf = await fileOf(order, { document: 'credit_advice', number })
  expect(pagesOf(pdf).join(' ')).toContain(`Rechnungskorrektur ${number}`)
  expect(pagesOf(await fileOf(order)).join(' ')).toContain(`Rechnung ${order.documents.invoices[0].number}`)
})

test('the credit of one bottle has a document of its own, with what was credited', async () => {
  const order = await add()
  const positions = [{ id: order.positions[0].id, quantity: 1 }]
  const { status, json } = await shop.call('orders/credit', { id: order.id, positions, refund: 'none' })
  expect(status).toBe(200)
  const advice = json.data.documents.creditAdvices[0]
  const wanted = { document: 'credit_advice', number: advice.id }
  const xml = (await fileOf(order, { ...wanted, format: 'xml' })).toString()
  expect(brokenInvoiceRules(xml)).toEqual([])
  const { lines, gross } = statedAmounts(xml)
  expect([lines.length, gross]).toEqual([1, Math.round(Number(advice.gross) * 100)])
  expect(pagesOf(await fileOf(order, wanted)).join(' ')).toContain(`${advice.gross.replace('.', ',')} €`)
})

test('the logo of the merchant heads invoice and delivery note', async () => {
  const kept = await keepPicture('merchant', String(merchant), await pngOf({ width: 300, height: 80 }))
  await setMerchant(shop, { image: 'path' in kept ? kept.path : null })
  const order = await add()
  for (const document of ['invoice', 'delivery_note'])
    expect((await fileOf(order, { document })).includes('/Subtype /Image')).toBe(true)
  await setMerchant(shop, { image: null })
  expect((await fileOf(await add())).includes('/Subtype /Image')).toBe(false)
})

test('a delivery note is a plain PDF', async () => {
  const order = await add()
  const pdf = await fileOf(order, { document: 'delivery_note' })
  expect(pagesOf(pdf).join(' ')).toContain(`Lieferschein ${order.documents.deliveryNotes[0].number}`)
  expect(pdf.includes('factur-x.xml')).toBe(false)
})

test('a delivery note is drawn again when it was sent, or has another carrier or tracking; else it is the same file', async () => {
  const order = await add()
  const wanted = { document: 'delivery_note' }
  const textOf = async () => pagesOf(await fileOf(order, wanted)).join(' ')
  const ship = (sent: object) => shop.call('orders/advance', { id: order.id, event: 'ship', ...sent })
  expect(await textOf()).not.toContain('Lieferdatum')
  await ship({})
  expect(await textOf()).toContain('Lieferdatum')
  await ship({ carrier: 'Paketdienst', tracking: 'P-77' })
  expect(await textOf()).toMatch(/Paketdienst.*P-77/)
  await ship({ tracking: 'P-78' })
  expect(await textOf()).toMatch(/Paketdienst.*P-78/)
  const present = objectOf(await ask(order, wanted))
  await shop.call('orders/advance', { id: order.id, event: 'close' })
  expect(objectOf(await ask(order, wanted))).toBe(present)
})

test.each<[string, object, Wanted]>([
  ['before the order is invoiced', { payment_type: 'prepaid' }, {}],
  ['of another number', {}, { number: 2 ** 40 }],
  ['of a delivery note for goods that are collected', { delivery_type: 'none' }, { document: 'delivery_note' }],
  ['as XML of a delivery note', {}, { document: 'delivery_note', format: 'xml' }],
])('there is no document %s', async (_, data, wanted) => {
  const { status, json } = await ask(await add(data), wanted)
  expect([status, json.error]).toEqual([404, 'document_not_found'])
})

describe('an order without tax', () => {
  test('is refused without a reason, and complete once one was added', async () => {
    const free = await newClient(shop, { tax_free: 1 })
    const order = await add({ billing_id: free.id })
    for (const format of ['pdf', 'xml']) expect(lacksOf(await ask(order, { format }))).toEqual(['tax_free_reason'])
    await setMerchant(shop, { tax_free_reason: 'Grund des Händlers', company: 'Später GmbH' })
    await updateItem(key('client', { merchant, id: free.id }), { set: { tax_free_reason: 'Grund des Kunden' } })
    const [xml, ...others] = await Promise.all([1, 2, 3].map(() => fileOf(order, { format: 'xml' })))
    const text = String(xml)
    expect(others.map(String)).toEqual([text, text])
    expect(text).toContain('<ram:ExemptionReason>Grund des Kunden</ram:ExemptionReason>')
    expect(text).not.toContain('Später GmbH')
    expect(statedAmounts(text).gross).toBe(Math.round(Number(order.gross) * 100))
    expect(brokenInvoiceRules(text)).toEqual([])
    await setMerchant(shop, { tax_free_reason: null, company: null })
    await updateItem(key('client', { merchant, id: free.id }), { set: { tax_free_reason: 'Anderer Grund' } })
    expect(String(await fileOf(order, { format: 'xml' }))).toBe(text)
    expect((await fileOf(order)).includes('factur-x.xml')).toBe(true)
  })

  test('states the reason that the merchant added before it was drawn, in PDF and XML', async () => {
    const order = await add({ billing_id: (await newClient(shop, { tax_free: 1 })).id })
    await setMerchant(shop, { tax_free_reason: 'Grund des Händlers' })
    const pdf = await fileOf(order)
    expect(pagesOf(pdf).join(' ')).toContain('Grund des Händlers')
    expect(pdf.includes('factur-x.xml')).toBe(true)
    await setMerchant(shop, { tax_free_reason: null })
    expect(String(await fileOf(order, { format: 'xml' }))).toContain('Grund des Händlers')
  })

  test('states the reason of its client', async () => {
    const free = await newClient(shop, { tax_free: 1, tax_free_reason: 'Steuerfrei nach Artikel 151' })
    const xml = (await fileOf(await add({ billing_id: free.id }), { format: 'xml' })).toString()
    expect(xml).toContain('<ram:ExemptionReason>Steuerfrei nach Artikel 151</ram:ExemptionReason>')
    expect(brokenInvoiceRules(xml)).toEqual([])
  })
})

describe('a document that lacks particulars', () => {
  const whole = { ...address, vatid: 'DE136695976' }

  afterEach(() => setMerchant(shop, { ...whole, taxid: null, contact_person: null, phone: null }))

  test('is refused with their names, and complete once they were added', async () => {
    await setMerchant(shop, { address: null, city: ' ', vatid: null })
    const [order, later] = [await add(), await add()]
    const names = ['seller.address', 'seller.city', 'seller.taxid']
    for (const format of ['pdf', 'xml']) expect(lacksOf(await ask(order, { format }))).toEqual(names)
    expect(lacksOf(await ask(order, { document: 'delivery_note' }))).toEqual(names.slice(0, 2))
    await setMerchant(shop, { ...whole, vatid: null, taxid: '27/123/45678' })
    for (const one of [order, later]) {
      const xml = String(await fileOf(one, { format: 'xml' }))
      expect(xml).toContain('<ram:ID schemeID="FC">27/123/45678</ram:ID>')
      expect(brokenInvoiceRules(xml)).toEqual([])
      const text = pagesOf(await fileOf(one)).join(' ')
      for (const part of ['Kai 1', '20457 Hamburg', '27/123/45678']) expect(text).toContain(part)
    }
    expect(pagesOf(await fileOf(order, { document: 'delivery_note' })).join(' ')).toContain('Kai 1')
  })

  test('is a PDF without XML where it is asked for all the same, of which nothing is kept', async () => {
    await setMerchant(shop, { zip: null })
    const order = await add()
    const draft = await ask(order, { incomplete: 1 })
    expect(objectOf(draft)).toContain('/drafts/')
    const pdf = (await download(draft.json.data.url)).bytes
    expect(pagesOf(pdf).join(' ')).toContain(`Rechnung ${order.documents.invoices[0].number}`)
    expect(pdf.includes('factur-x.xml')).toBe(false)
    expect(lacksOf(await ask(order, { incomplete: 1, format: 'xml' }))).toEqual(['seller.zip'])
    expect(lacksOf(await ask(order))).toEqual(['seller.zip'])
    expect(await getItem(placeOf(order))).toBeUndefined()
    await setMerchant(shop, whole)
    const complete = await ask(order, { incomplete: 1 })
    expect(objectOf(complete)).toContain('/documents/')
    expect((await download(complete.json.data.url)).bytes.includes('factur-x.xml')).toBe(true)
  })

  test('lacks the address of its buyer, until the client has one: then that is on invoice and delivery note', async () => {
    const bare = await newClient(shop, { address: null, city: null, first_name: null, last_name: null })
    const order = await add({ billing_id: bare.id })
    expect(lacksOf(await ask(order))).toEqual(['buyer.name', 'buyer.address', 'buyer.city'])
    const note = { document: 'delivery_note' }
    expect(lacksOf(await ask(order, note))).toEqual(['recipient.name', 'recipient.address', 'recipient.city'])
    const set = { last_name: 'Nachtrag', address: 'Weg 9', city: 'Trier', zip: '54290' }
    await updateItem(key('client', { merchant, id: bare.id }), { set })
    for (const wanted of [{}, note]) {
      const text = pagesOf(await fileOf(order, wanted)).join(' ')
      for (const part of ['Nachtrag', 'Weg 9', '54290 Trier']) expect(text).toContain(part)
    }
    expect(String(await fileOf(order, { format: 'xml' }))).toContain('<ram:PostcodeCode>54290</ram:PostcodeCode>')
  })

  test('needs a contact of the seller and a postal code of the buyer if it is an XRechnung', async () => {
    await setMerchant(shop, { mail: null })
    const office = await newClient(shop, { company: 'Amt', buyer_reference: '04011000-12345-34', zip: null })
    const order = await add({ billing_id: office.id })
    const contact = ['seller.contact_person', 'seller.phone', 'seller.mail']
    expect(lacksOf(await ask(order))).toEqual([...contact, 'buyer.zip'])
    await setMerchant(shop, { contact_person: 'Ute Kai', phone: '+49 40 555', mail: 'kai@example.org' })
    expect(lacksOf(await ask(order))).toEqual(['buyer.zip'])
    await updateItem(key('client', { merchant, id: office.id }), { set: { zip: '20457' } })
    const xml = String(await fileOf(order, { format: 'xml' }))
    expect(xml).toContain('<ram:PersonName>Ute Kai</ram:PersonName>')
    expect(brokenInvoiceRules(xml)).toEqual([])
  })

  test('keeps the PDF that it had before this was asked, and is drawn again once its XML can be made', async () => {
    const [first, order] = [await add(), await add()]
    const pdf = objectOf(await ask(first))
      .split('/')
      .slice(-2)
      .join('/')
    await setMerchant(shop, { vatid: null })
    const bare = await add()
    for (const one of [order, bare]) await putItem(placeOf(one), { pdf, xml: null })
    expect(objectOf(await ask(bare))).toContain(pdf)
    expect(lacksOf(await ask(bare, { format: 'xml' }))).toEqual(['seller.taxid'])
    const drawn = await fileOf(order)
    expect(drawn.includes('factur-x.xml')).toBe(true)
    expect(pagesOf(drawn).join(' ')).toContain(`Rechnung ${order.documents.invoices[0].number}`)
    expect((await getItem(placeOf(order)))?.xml).toBeTruthy()
  })
})

test('a buyer reference of the client makes an XRechnung', async () => {
  await setMerchant(shop, { contact_person: 'Ute Kai', phone: '+49 40 555' })
  const office = await newClient(shop, {
    company: 'Amt',
    buyer_reference: '04011000-12345-34',
    mail: 'amt@example.org',
  })
  const xml = (await fileOf(await add({ billing_id: office.id }), { format: 'xml' })).toString()
  expect(xml).toContain('xrechnung_3.0')
  expect(xml).toContain('<ram:BuyerReference>04011000-12345-34</ram:BuyerReference>')
  expect(brokenInvoiceRules(xml)).toEqual([])
})

test('an invoice from before the seller was kept shows the merchant of today', async () => {
  const order = await add()
  const place = key('order', { merchant, id: order.id })
  const item = (await getItem(place)) as Json
  const doc = JSON.parse(item.doc)
  delete doc.documents.invoices[0].seller
  await putItem(place, { uuid: item.uuid, version: item.version, doc: JSON.stringify(doc) })
  await setMerchant(shop, { company: 'Heute GmbH' })
  expect((await fileOf(order, { format: 'xml' })).toString()).toContain('<ram:Name>Heute GmbH</ram:Name>')
  await setMerchant(shop, { company: null })
})

describe('a document is returned', () => {
  test('to the client of its order, and to no other', async () => {
    const order = await add()
    expect((await ask(order, {}, account)).status).toBe(200)
    const refused = await ask(order, {}, other)
    expect([refused.status, refused.json.error]).toEqual([404, 'order_not_found'])
  })

  test('for an id or a uuid of one order', async () => {
    const [order, another] = [await add(), await add()]
    const body = { document: 'invoice', format: 'pdf' }
    expect((await shop.call('orders/getDocument', { ...body, uuid: order.uuid })).status).toBe(200)
    expect((await shop.call('orders/getDocument', body)).json.error).toBe('missing_identifier')
    const both = { ...body, id: another.id, uuid: order.uuid }
    expect((await shop.call('orders/getDocument', both)).json.error).toBe('identifier_conflict')
    expect((await shop.call('orders/getDocument', { ...body, id: 2 ** 40 })).json.error).toBe('order_not_found')
  })
})
