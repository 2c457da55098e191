import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { invoiceXml } from '../../shared/documents/invoices/cii.ts'
import { creditContent, type InvoiceContent, invoiceContent } from '../../shared/documents/invoices/content.ts'
import { noteContent } from '../../shared/documents/invoices/note.ts'
import { drawInvoice, drawNote } from '../../shared/documents/invoices/pdf/draw.ts'
import { giroModules, giroText, transferOf } from '../../shared/documents/invoices/pdf/giro-code.ts'
import { euros, purposeOf, termsOf } from '../../shared/documents/invoices/terms.ts'
import { sellerOf } from '../../shared/merchants/settings.ts'
import { pageCount, pagesOf, runsOfPages, wordsIn } from '../support/expertise-sheet-reader.ts'
import { invoiceCases } from '../support/invoice-cases.ts'
import { orderOf } from '../support/invoice-samples.ts'
import { merchant } from '../support/order-sample.ts'
import { pngOf } from '../support/picture-files.ts'
import { carts, placed } from '../support/placed-order.ts'
import { sampleInFastLane } from '../support/sampling.ts'

const caseOf = (name: string): InvoiceContent => {
  const found = invoiceCases[name]
  if (!found) throw new Error(`there is no case ${name}`)
  return found[1]()
}

const drawn = (name: string): Promise<Buffer> => {
  const content = caseOf(name)
  return drawInvoice(content, invoiceXml(content))
}

const whole = (pdf: Buffer): string => pagesOf(pdf).join(' ')

/** True if the text of each page is above its number; the footer is below that. */
const isAboveFooter = (pdf: Buffer): boolean =>
  runsOfPages(pdf).every(runs => {
    const place = runs.findIndex(({ text }) => /^Seite \d+ von \d+$/.test(text))
    const { y = 0 } = runs[place] ?? {}
    return runs.slice(0, place).every(one => one.y < y) && runs.slice(place).every(one => one.y < 835)
  })

/** A text of about 240 characters, of words that differ. */
const longText = (word: string): string => Array.from({ length: 28 }, (_, n) => `${word}${n}`).join(' ')

/** The objects of a file by number, as they are written. */
const objectsOf = (pdf: Buffer) =>
  new Map(
    [...pdf.toString('latin1').matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id = '', text = '']) => [id, text]),
  )

const streamOf = (object = ''): Buffer => {
  const [dictionary = '', packed = ''] = object.split('\nstream\n')
  const bytes = Buffer.from(packed.replace(/\nendstream$/, ''), 'latin1')
  return dictionary.includes('FlateDecode') ? inflateSync(bytes) : bytes
}

const golden = ['gross', 'mixed-rates', 'rebate-two-rates', 'tax-free-export', 'xrechnung', 'credit-part', 'long']

describe('an invoice as PDF', () => {
  test.each(sampleInFastLane(golden, 3))('%s is the same byte for byte each time', async name => {
    expect((await drawn(name)).equals(await drawn(name))).toBe(true)
  })

  test.each([
    ...sampleInFastLane(golden, 3).filter(name => name !== 'xrechnung'),
    'xrechnung',
  ])('%s is declared as PDF/A-3b with its XML inside as the alternative', async name => {
    const objects = objectsOf(await drawn(name))
    const all = [...objects.values()]
    const catalog = all.find(text => text.includes('/Type /Catalog')) ?? ''
    const [, specId = ''] = /\/AF \[(\d+) 0 R\]/.exec(catalog) ?? []
    const spec = objects.get(specId) ?? ''
    expect(spec).toContain('/AFRelationship /Alternative')
    // ZUGFeRD's reference profile XRECHNUNG has a file name and a level of its own.
    const [file, level] = name === 'xrechnung' ? ['xrechnung.xml', 'XRECHNUNG'] : ['factur-x.xml', 'EN 16931']
    expect(spec).toContain(`/F (${file})`)
    expect(spec).toContain(`/UF (${file})`)
    const [, fileId = ''] = /\/EF <<\n\/F (\d+) 0 R/.exec(spec) ?? []
    const stream = objects.get(fileId) ?? ''
    expect(stream).toMatch(/\/Subtype \/text#2[Ff]xml/)
    expect(streamOf(stream).toString('utf8')).toBe(invoiceXml(caseOf(name)))
    const [, namesId = ''] = /\/Names (\d+) 0 R/.exec(catalog) ?? []
    expect(objects.get(namesId)).toContain('/EmbeddedFiles')
    expect(catalog).toContain('/OutputIntents')
    expect(all.some(text => text.includes('/S /GTS_PDFA1'))).toBe(true)
    const [, metadataId = ''] = /\/Metadata (\d+) 0 R/.exec(catalog) ?? []
    const metadata = streamOf(objects.get(metadataId)).toString('utf8')
    for (const part of [
      '<pdfaid:part>3</pdfaid:part>',
      '<pdfaid:conformance>B</pdfaid:conformance>',
      '<xmp:ModifyDate>2026-11-',
      `<fx:DocumentFileName>${file}</fx:DocumentFileName>`,
      '<fx:DocumentType>INVOICE</fx:DocumentType>',
      `<fx:ConformanceLevel>${level}</fx:ConformanceLevel>`,
      '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
    ])
      expect(metadata).toContain(part)
    // Each face is a part of its font, inside the file.
    const fonts = all.filter(text => text.includes('/Type /FontDescriptor'))
    expect(fonts.length).toBeGreaterThan(0)
    for (const font of fonts) expect(font).toMatch(/\/FontFile[23] \d+ 0 R/)
  })

  test('that lacks a particular has no XML inside', async () => {
    const content = caseOf('tax-free-small-business')
    const bare = { ...content, taxFree: { category: 'E' as const, code: null, reason: null } }
    const pdf = await drawInvoice(bare, null)
    expect(pdf.includes('factur-x.xml')).toBe(false)
    expect(whole(pdf)).toContain('Ohne Umsatzsteuer.')
  })

  test('states the particulars of § 14 UStG', async () => {
    const text = whole(await drawn('rebate-two-rates'))
    for (const part of [
      ...['Weinkontor Elbufer GmbH', 'Große Elbstraße 7', '22767 Hamburg'],
      ...['Clara Amsel', 'Marktplatz 1', '67547 Worms'],
      ...['Steuernummer 47/000/00000', 'USt-IdNr. DE000000000'],
      ...['06.11.2026', 'Rechnung 1042', 'siehe Lieferschein 982'],
      ...['Riesling Kabinett', '2024, 0,75 l', 'Traubensaft', 'Versand', 'Rabatt 10 %'],
      ...['Nettobetrag zu 7 % USt.', 'Umsatzsteuer 7 %', 'Nettobetrag zu 19 % USt.', 'Umsatzsteuer 19 %'],
      ...['Zahlbar bis 20.11.2026', 'DE89 3704 0044 0532 0130 00', 'Seite 1 von 1'],
    ])
      expect(text).toContain(part)
  })

  test('has names and addresses of 240 characters whole', async () => {
    const { seller, buyer, ...content } = caseOf('rebate-amounts')
    const [first] = content.lines
    if (!first) throw new Error('the invoice has no line')
    const pdf = await drawInvoice(
      {
        ...content,
        seller: { ...seller, company: longText('Keller'), address: longText('Gasse'), taxid: longText('Amt') },
        buyer: { ...buyer, name: longText('Firma'), person: longText('Person'), address: longText('Weg') },
        order: { ...content.order, customer: longText('Kunde') },
        rebates: content.rebates.map(one => ({ ...one, name: longText('Nachlass') })),
        lines: [{ ...first, name: longText('WEISS') }, ...content.lines.slice(1)],
      },
      null,
    )
    const text = whole(pdf)
    for (const word of ['Keller', 'Gasse', 'Amt', 'Firma', 'Person', 'Weg', 'Kunde', 'Nachlass', 'WEISS'])
      expect(text).toContain(longText(word))
    expect(isAboveFooter(pdf)).toBe(true)
  })

  test('of 49 rebates takes more pages', async () => {
    const { rebates, ...content } = caseOf('rebate-amounts')
    const [one] = rebates
    if (!one) throw new Error('the invoice has no rebate')
    const names = Array.from({ length: 49 }, (_, n) => `Nachlass ${n + 1}`)
    const pdf = await drawInvoice({ ...content, rebates: names.map(name => ({ ...one, name })) }, null)
    expect(isAboveFooter(pdf)).toBe(true)
    for (const name of names) expect(whole(pdf)).toContain(name)
  })

  test('of 50 lines repeats the head of its table, counts its pages and carries its sum over', async () => {
    const content = caseOf('long')
    const pdf = await drawInvoice(content, null)
    const pages = pagesOf(pdf)
    expect(pages).toHaveLength(pageCount(pdf))
    expect(pages.length).toBeGreaterThan(2)
    const sums: string[] = []
    for (const [n, page] of pages.entries()) {
      expect(page).toContain(`Seite ${n + 1} von ${pages.length}`)
      const carried = [...page.matchAll(/Übertrag ([\d.]+,\d\d)/g)].map(([, sum = '']) => sum)
      expect(carried).toHaveLength(n === 0 || n === pages.length - 1 ? 1 : 2)
      if (n > 0) expect(carried[0]).toBe(sums.at(-1))
      if (n > 0) expect(page).toContain('Einzelpreis')
      sums.push(...carried)
    }
    for (const { name } of content.lines) expect(pages.join(' ')).toContain(name)
  })

  test('is in English for a buyer abroad, with the reason for being without tax and both VAT numbers', async () => {
    const text = whole(await drawn('tax-free-intra-community'))
    for (const part of [
      'Invoice 1042',
      'Your VAT number FR83404833048',
      'VAT number DE000000000',
      'Intra-Community supply',
    ])
      expect(text).toContain(part)
  })

  test.each(['tax-free-small-business', 'credit-tax-free'])('without tax shows no rate of it: %s', async name => {
    const text = whole(await drawn(name))
    expect(text).toContain('Einzelpreis Betrag')
    expect(text).not.toMatch(/\d %|USt\. /)
  })

  test('of a credit is a correction of its invoice', async () => {
    const text = whole(await drawn('credit-part'))
    expect(text).toContain('Rechnungskorrektur 17')
    expect(text).toContain('zur Rechnung 1042 vom 06.11.2026')
    expect(text).not.toContain('Gutschrift')
  })

  test('has the numbers and notes of its company, whose long name is whole in the letterhead', async () => {
    const content = caseOf('company')
    const text = whole(await drawInvoice(content, null))
    for (const part of ['HRB 12345', 'Öko-Kontrollstelle DE-ÖKO-006', 'Amtsgericht Hamburg, Sitz Hamburg'])
      expect(text).toContain(part)
    const company = longText('Kellerei').slice(0, 110)
    const pdf = await drawInvoice({ ...content, seller: { ...content.seller, company } }, null)
    expect(pagesOf(pdf)[0]?.startsWith(company)).toBe(true)
  })

  test('is headed by the logo of its seller, and is the same byte for byte each time', async () => {
    const content = caseOf('gross')
    const xml = invoiceXml(content)
    const logos = [
      await pngOf({ width: 400, height: 100 }),
      readFileSync(join(import.meta.dirname, '..', '..', 'lib', 'tool', 'demo', 'data', 'elbufer', 'logo.png')),
    ]
    for (const logo of logos) {
      const pdf = await drawInvoice(content, xml, logo)
      expect(pdf.includes('/Subtype /Image')).toBe(true)
      expect((await drawInvoice(content, xml, logo)).equals(pdf)).toBe(true)
    }
    expect((await drawInvoice(content, xml)).includes('/Subtype /Image')).toBe(false)
    // The longest name beside it ends above the line of the sender in the window.
    const company = longText('Kellerei').slice(0, 240)
    const [runs = []] = runsOfPages(
      await drawInvoice({ ...content, seller: { ...content.seller, company } }, null, logos[0]),
    )
    const back = runs.findIndex(({ text }) => text.includes('…'))
    expect(back).toBeGreaterThan(0)
    expect(Math.max(...runs.slice(0, back).map(({ y }) => y))).toBeLessThan((runs[back]?.y ?? 0) - 8)
  })

  test('by direct debit announces day, creditor, mandate and account', async () => {
    const text = whole(await drawn('xrechnung-debit-whole'))
    expect(text).toContain(
      'Der Betrag wird am 20.11.2026 per Lastschrift eingezogen (Gläubiger-ID DE98ZZZ09999999999, Mandat MANDAT-3001, Konto mit den letzten Ziffern 2051).',
    )
    expect(text).not.toContain('02120300000000202051')
  })

  test.each([
    ['paypal', 'Der Betrag ist bezahlt (PayPal, 07.11.2026).', 'bezahlt: PayPal, 07.11.2026 −71,30'],
    ['prepaid', 'Der Betrag ist bezahlt (Überweisung, 07.11.2026).', 'bezahlt: Überweisung, 07.11.2026 −71,30'],
  ])('paid before says how and when: %s', async (name, sentence, row) => {
    const text = whole(await drawn(name))
    expect(text).toContain(sentence)
    expect(text).toContain(row)
  })

  test.each([
    ['provider', 'über den Zahlungsdienst erstattet'],
    ['at_provider', 'über den Zahlungsdienst erstattet'],
    ['by_hand', 'Der Betrag wird erstattet.'],
    ['none', 'Der Betrag wird mit der Rechnung verrechnet.'],
    [undefined, 'Der Betrag wird mit der Rechnung verrechnet.'],
  ] as const)('of a credit says what happens to the money: refund %s', (refund, sentence) => {
    expect(termsOf({ ...caseOf('credit-part'), refund }).join()).toContain(sentence)
  })

  test('of a part names the rebates of its own rate at each rate', () => {
    const source = orderOf({
      goods: [
        { name: 'Riesling', gross: 1090, quantity: 6 },
        { name: 'Saft', gross: 390, quantity: 4, taxrate: 7 },
      ],
      rebates: [
        { name: 'Treue', net: '-1.00', tax: '-0.19', gross: '-1.19' },
        { name: 'Safttag', net: '-1.00', tax: '-0.07', gross: '-1.07' },
      ],
      client: { rebate: 10 },
      events: ['cancel'],
    })
    const [advice] = source.order.documents.creditAdvices
    if (!advice) throw new Error('the order has no credit advice')
    const lines = [...source.sold.positions].map(
      ({ item_type, item_id, name, quantity, net, tax, gross, taxrate }, n) => ({
        ...{
          position_id: source.order.header.id * 100 + n + 1,
          item_type,
          item_id,
          name,
          quantity,
          net,
          tax,
          gross,
          taxrate,
        },
      }),
    )
    const { rates, rebates } = creditContent(source, { ...advice, lines })
    expect(Object.fromEntries(rates.map(({ rate, rebates: names }) => [rate, names]))).toEqual({
      7: ['Rabatt 10 %', 'Safttag'],
      19: ['Rabatt 10 %', 'Treue'],
    })
    expect(rebates.map(({ name }) => name)).toEqual(['Rabatt 10 %, Safttag', 'Rabatt 10 %, Treue'])
  })

  test('has the GiroCode on no page alone', async () => {
    const { lines, ...content } = caseOf('skonto')
    const [line] = lines
    if (!line) throw new Error('the invoice has no line')
    for (let n = 1; n < 16; n++) {
      const pdf = await drawInvoice({ ...content, lines: Array.from({ length: n }, () => line) }, null)
      const page = pagesOf(pdf).find(text => text.includes('Verwendungszweck'))
      expect(page).toContain('Zahlbar bis')
    }
  })

  test('prints letters of other scripts', async () => {
    const text = whole(await drawn('signs-and-scripts'))
    for (const part of ['Ελένη Παπαδοπούλου', 'Саперави – საფერავი', 'Wein & Käse <Kiste>'])
      expect(text).toContain(part)
  })

  test('of a long remark takes more pages', async () => {
    const content = { ...caseOf('gross'), remark: Array.from({ length: 120 }, (_, n) => `Zeile ${n + 1}`).join('\n') }
    const pages = pagesOf(await drawInvoice(content, null))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.at(-1)).toContain('Zeile 120')
  })
})

test('the PDF of any order states its total, and names all that was sold', async () => {
  await fc.assert(
    fc.asyncProperty(carts, async cart => {
      const { order, sold } = placed(cart)
      const [invoice] = order.documents.invoices
      if (!invoice) throw new Error('the order has no invoice')
      const seller = sellerOf(merchant)
      const content = invoiceContent({ order, sold, seller }, { ...invoice, seller })
      const text = whole(await drawInvoice(content, invoiceXml(content)))
      expect(text).toContain(wordsIn(euros(content.total.gross, content.language)))
      for (const { name } of content.lines) expect(text).toContain(name)
    }),
    { numRuns: 10 },
  )
})

describe('the GiroCode', () => {
  test('has the transfer as EPC069-12 writes it', () => {
    const transfer = transferOf(caseOf('skonto'))
    expect(transfer && giroText(transfer).split('\n')).toEqual([
      ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', 'Weinkontor Elbufer GmbH', 'DE89370400440532013000', 'EUR122.00'],
      ...['', '', 'Rechnung 1042'],
    ])
    expect(invoiceXml(caseOf('skonto'))).toContain(`<ram:PaymentReference>${purposeOf(caseOf('skonto'))}<`)
  })

  test.each([
    'paypal',
    'prepaid',
    'debit',
    'collected',
    'credit-whole',
    'no-account',
    'free-of-charge',
  ])('is missing where nothing is to be transferred, or to no account: %s', name =>
    expect(transferOf(caseOf(name))).toBeNull())

  test('is a square with three finders', () => {
    const transfer = transferOf(caseOf('gross'))
    if (!transfer) throw new Error('the invoice is paid by transfer')
    const { side, runs } = giroModules(transfer)
    const isDark = (row: number, column: number) =>
      runs.some(run => run.row === row && column >= run.from && column < run.from + run.length)
    expect((side - 17) % 4).toBe(0)
    // EPC069-12: version 13 at most.
    expect(side).toBeLessThanOrEqual(69)
    for (const [top, left] of [
      [0, 0],
      [0, side - 7],
      [side - 7, 0],
    ] as const) {
      const ring = Array.from({ length: 7 }, (_, n) => isDark(top, left + n) && isDark(top + n, left))
      expect(ring).toEqual(Array.from({ length: 7 }, () => true))
      expect([isDark(top + 1, left + 1), isDark(top + 3, left + 3)]).toEqual([false, true])
    }
  })
})

test('a delivery note has the goods, and no prices', async () => {
  const source = orderOf({ goods: [{ name: 'Riesling', gross: 1090, quantity: 6, vintage: 2024 }], events: ['ship'] })
  const [note] = source.order.documents.deliveryNotes
  if (!note) throw new Error('the order has no delivery note')
  const shipped = { ...note, carrier: 'Paketdienst', tracking: 'P-77' }
  const text = whole(await drawNote(noteContent(source, shipped)))
  for (const part of ['Lieferschein 982', 'Riesling', 'Paketdienst', 'P-77', 'Lieferdatum 07.11.2026'])
    expect(text).toContain(part)
  const address = `https://paketdienst.example/verfolgen?${'sendung=1&'.repeat(190)}ende`
  const followed = await drawNote(noteContent(source, { ...shipped, tracking: address }))
  expect(whole(followed).replaceAll(' ', '')).toContain(address)
  expect(text).not.toMatch(/\d,\d\d(?! l)|€/)
})

test.each([
  ['destilate', 'Übergabe nur ab 18 Jahren'],
  ['white', 'Übergabe nur ab 16 Jahren'],
  ['grapeJuice', null],
])('a delivery note of %s says the age of its recipient', async (type, said) => {
  const source = orderOf({ goods: [{ name: 'Flasche', gross: 1090, quantity: 1 }], events: ['ship'] })
  const positions = source.sold.positions.map(line => ({ ...line, item: { ...line.item, type } }))
  const [note] = source.order.documents.deliveryNotes
  if (!note) throw new Error('the order has no delivery note')
  const text = whole(await drawNote(noteContent({ ...source, sold: { ...source.sold, positions } }, note)))
  if (said) expect(text).toContain(said)
  else expect(text).not.toContain('Übergabe')
})
