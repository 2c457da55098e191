import { agreement, delivery, given, type Reader, type Rule, reading, settlement, sums } from './cii-reader.ts'
import { germanRules, isXRechnung } from './xrechnung.ts'

// Rules of EN 16931-1 (table of business rules), on the terms of its CII syntax. Written from the standard, not from the
// official schematron, which no package carries: that is run on the golden files from outside.

const roundedHalfUp = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator))

const lineSum = 'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount'
const lineTax = 'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax'

const linesOf = (invoice: Reader) => invoice.all('rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem')
const breakdownOf = (invoice: Reader) => invoice.all(`${settlement}/ram:ApplicableTradeTax`)
const changesOf = (invoice: Reader, indicator: 'true' | 'false') =>
  invoice.all(`${settlement}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator='${indicator}']`)
const sumOf = (readers: readonly Reader[], path: string) => readers.reduce((sum, one) => sum + one.cents(path), 0)

const equal = (path: string, expected: (invoice: Reader) => number) => (invoice: Reader) =>
  invoice.cents(path) === expected(invoice)

const taxOf = (reader: Reader, path: string) =>
  `${reader.text(`${path}/ram:CategoryCode`)} ${reader.text(`${path}/ram:RateApplicablePercent`)}`

/** Lines, allowances and charges with the tax of a group of the breakdown add up to its taxable amount (BR-S-08, BR-Z-08 …). */
const basisHolds = (invoice: Reader): boolean =>
  breakdownOf(invoice).every(group => {
    const isOfGroup = (path: string) => (one: Reader) => taxOf(one, path) === taxOf(group, '.')
    const [lines, off, on] = [
      linesOf(invoice).filter(isOfGroup(lineTax)),
      changesOf(invoice, 'false').filter(isOfGroup('ram:CategoryTradeTax')),
      changesOf(invoice, 'true').filter(isOfGroup('ram:CategoryTradeTax')),
    ]
    const expected = sumOf(lines, lineSum) - sumOf(off, 'ram:ActualAmount') + sumOf(on, 'ram:ActualAmount')
    return group.cents('ram:BasisAmount') === expected
  })

/**
 * BR-CO-17 states basis × rate, rounded; the official rules allow a difference of a euro. Here tax that was taken out of a
 * gross sum may differ by a cent, and that of a credit, whose lines are parts of an invoice's cents, by a cent a line.
 */
const taxHolds = (invoice: Reader): boolean =>
  breakdownOf(invoice).every(group => {
    const rate = BigInt(group.text('ram:RateApplicablePercent') ?? '0')
    const expected = roundedHalfUp(BigInt(group.cents('ram:BasisAmount')) * rate, 100n)
    const isCredit = invoice.text('rsm:ExchangedDocument/ram:TypeCode') === '381'
    const most = isCredit ? 1 + linesOf(invoice).length : 1
    return Math.abs(group.cents('ram:CalculatedAmount') - expected) <= most
  })

const categoriesOf = (invoice: Reader) => breakdownOf(invoice).map(group => group.text('ram:CategoryCode') ?? '')

const each =
  (category: string, holds: (group: Reader, invoice: Reader) => boolean) =>
  (invoice: Reader): boolean =>
    breakdownOf(invoice)
      .filter(group => group.text('ram:CategoryCode') === category)
      .every(group => holds(group, invoice))

const sellerTaxId = (invoice: Reader, schemes: readonly string[]): boolean =>
  schemes.some(
    scheme =>
      invoice.text(`${agreement}/ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='${scheme}']`) !==
      null,
  )
const buyerVatId = (invoice: Reader) =>
  invoice.text(`${agreement}/ram:BuyerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']`)

const hasReason = (group: Reader) =>
  group.text('ram:ExemptionReason') !== null || group.text('ram:ExemptionReasonCode') !== null

const givenIn = (readers: (invoice: Reader) => Reader[], path: string) => (invoice: Reader) =>
  readers(invoice).every(given(path))

/** price × quantity / base quantity is the line's total (BR-DE and Peppol R120 check it). */
const lineHolds = (line: Reader): boolean => {
  const price = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice'
  const base = Number(line.text(`${price}/ram:BasisQuantity`) ?? '1')
  const quantity = Number(line.text('ram:SpecifiedLineTradeDelivery/ram:BilledQuantity'))
  return line.cents(`${price}/ram:ChargeAmount`) * quantity === line.cents(lineSum) * base && base > 0
}

const ibanHolds = (iban: string): boolean => {
  const digits = [...(iban.slice(4) + iban.slice(0, 4))].map(sign => Number.parseInt(sign, 36)).join('')
  return /^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) && BigInt(digits) % 97n === 1n
}

const rules: readonly Rule[] = [
  ['BR-01', given('rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID')],
  ['BR-02', given('rsm:ExchangedDocument/ram:ID')],
  ['BR-03', given('rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString[@format="102"]')],
  ['BR-04', invoice => ['380', '381'].includes(invoice.text('rsm:ExchangedDocument/ram:TypeCode') ?? '')],
  ['BR-05', given(`${settlement}/ram:InvoiceCurrencyCode`)],
  ['BR-06', given(`${agreement}/ram:SellerTradeParty/ram:Name`)],
  ['BR-07', given(`${agreement}/ram:BuyerTradeParty/ram:Name`)],
  ['BR-09', given(`${agreement}/ram:SellerTradeParty/ram:PostalTradeAddress/ram:CountryID`)],
  ['BR-11', given(`${agreement}/ram:BuyerTradeParty/ram:PostalTradeAddress/ram:CountryID`)],
  ['BR-12', given(`${sums}/ram:LineTotalAmount`)],
  ['BR-13', given(`${sums}/ram:TaxBasisTotalAmount`)],
  ['BR-14', given(`${sums}/ram:GrandTotalAmount`)],
  ['BR-15', given(`${sums}/ram:DuePayableAmount`)],
  ['BR-16', invoice => linesOf(invoice).length > 0],
  ['BR-21', givenIn(linesOf, 'ram:AssociatedDocumentLineDocument/ram:LineID')],
  ['BR-22', givenIn(linesOf, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity')],
  ['BR-23', givenIn(linesOf, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode')],
  ['BR-24', givenIn(linesOf, lineSum)],
  ['BR-25', givenIn(linesOf, 'ram:SpecifiedTradeProduct/ram:Name')],
  ['BR-26', givenIn(linesOf, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount')],
  ['BR-33', givenIn(invoice => changesOf(invoice, 'false'), 'ram:Reason')],
  ['BR-55', invoice => invoice.all(`${settlement}/ram:InvoiceReferencedDocument`).every(given('ram:IssuerAssignedID'))],
  [
    'BR-57',
    invoice => invoice.all(`${delivery}/ram:ShipToTradeParty`).every(given('ram:PostalTradeAddress/ram:CountryID')),
  ],
  [
    'BR-61',
    invoice =>
      invoice
        .all(`${settlement}/ram:SpecifiedTradeSettlementPaymentMeans[ram:TypeCode='30' or ram:TypeCode='58']`)
        .every(means => ibanHolds(means.text('ram:PayeePartyCreditorFinancialAccount/ram:IBANID') ?? '')),
  ],
  ['BR-CO-04', givenIn(linesOf, `${lineTax}/ram:CategoryCode`)],
  ['BR-CO-10', equal(`${sums}/ram:LineTotalAmount`, invoice => sumOf(linesOf(invoice), lineSum))],
  [
    'BR-CO-11',
    equal(`${sums}/ram:AllowanceTotalAmount`, invoice => sumOf(changesOf(invoice, 'false'), 'ram:ActualAmount')),
  ],
  [
    'BR-CO-12',
    equal(`${sums}/ram:ChargeTotalAmount`, invoice => sumOf(changesOf(invoice, 'true'), 'ram:ActualAmount')),
  ],
  [
    'BR-CO-13',
    equal(
      `${sums}/ram:TaxBasisTotalAmount`,
      invoice =>
        invoice.cents(`${sums}/ram:LineTotalAmount`) -
        invoice.cents(`${sums}/ram:AllowanceTotalAmount`) +
        invoice.cents(`${sums}/ram:ChargeTotalAmount`),
    ),
  ],
  ['BR-CO-14', equal(`${sums}/ram:TaxTotalAmount`, invoice => sumOf(breakdownOf(invoice), 'ram:CalculatedAmount'))],
  [
    'BR-CO-15',
    equal(
      `${sums}/ram:GrandTotalAmount`,
      invoice => invoice.cents(`${sums}/ram:TaxBasisTotalAmount`) + invoice.cents(`${sums}/ram:TaxTotalAmount`),
    ),
  ],
  [
    'BR-CO-16',
    equal(
      `${sums}/ram:DuePayableAmount`,
      invoice => invoice.cents(`${sums}/ram:GrandTotalAmount`) - invoice.cents(`${sums}/ram:TotalPrepaidAmount`),
    ),
  ],
  ['BR-CO-17', taxHolds],
  ['BR-CO-18', invoice => breakdownOf(invoice).length > 0],
  [
    'BR-CO-25',
    invoice =>
      invoice.cents(`${sums}/ram:DuePayableAmount`) <= 0 ||
      given(`${settlement}/ram:SpecifiedTradePaymentTerms/ram:Description`)(invoice),
  ],
  ['BR-CO-26', invoice => sellerTaxId(invoice, ['VA']) || given(`${agreement}/ram:SellerTradeParty/ram:ID`)(invoice)],
  [
    'BR-S-01',
    invoice => {
      const taxed = new Set(linesOf(invoice).map(line => taxOf(line, lineTax)))
      const groups = breakdownOf(invoice).map(group => taxOf(group, '.'))
      return new Set(groups).size === groups.length && [...taxed].every(tax => groups.includes(tax))
    },
  ],
  ['BR-S-02', invoice => !categoriesOf(invoice).includes('S') || sellerTaxId(invoice, ['VA', 'FC'])],
  ['BR-S-05', each('S', group => Number(group.text('ram:RateApplicablePercent')) > 0)],
  ['BR-S-08', basisHolds],
  ['BR-S-10', each('S', group => !hasReason(group))],
  ['BR-Z-02', invoice => !categoriesOf(invoice).includes('Z') || sellerTaxId(invoice, ['VA', 'FC'])],
  ['BR-Z-05', each('Z', group => Number(group.text('ram:RateApplicablePercent')) === 0)],
  ['BR-Z-09', each('Z', group => group.cents('ram:CalculatedAmount') === 0)],
  ['BR-Z-10', each('Z', group => !hasReason(group))],
  ['BR-E-02', invoice => !categoriesOf(invoice).includes('E') || sellerTaxId(invoice, ['VA', 'FC'])],
  ['BR-E-05', each('E', group => Number(group.text('ram:RateApplicablePercent')) === 0)],
  ['BR-E-09', each('E', group => group.cents('ram:CalculatedAmount') === 0)],
  ['BR-E-10', each('E', hasReason)],
  ['BR-G-02', invoice => !categoriesOf(invoice).includes('G') || sellerTaxId(invoice, ['VA'])],
  ['BR-G-09', each('G', group => group.cents('ram:CalculatedAmount') === 0)],
  ['BR-G-10', each('G', hasReason)],
  [
    'BR-IC-02',
    invoice => !categoriesOf(invoice).includes('K') || (sellerTaxId(invoice, ['VA']) && buyerVatId(invoice) !== null),
  ],
  ['BR-IC-09', each('K', group => group.cents('ram:CalculatedAmount') === 0)],
  ['BR-IC-10', each('K', hasReason)],
  [
    'BR-IC-11',
    each('K', (_, invoice) => given(`${delivery}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`)(invoice)),
  ],
  [
    'BR-IC-12',
    each('K', (_, invoice) => given(`${delivery}/ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID`)(invoice)),
  ],
  // Of Factur-X 1.09: person and department are one term (BT-56).
  [
    'CII-SR-466',
    invoice =>
      invoice
        .all(`${agreement}/ram:BuyerTradeParty/ram:DefinedTradeContact`)
        .every(contact => !(given('ram:PersonName')(contact) && given('ram:DepartmentName')(contact))),
  ],
  ['line total', invoice => linesOf(invoice).every(lineHolds)],
]

const holds = ([, rule]: Rule, invoice: Reader): boolean => {
  try {
    return rule(invoice)
  } catch {
    return false
  }
}

/** The rules of EN 16931, and for an XRechnung of its German extension, that an invoice breaks. */
export const brokenInvoiceRules = (xml: string): string[] =>
  reading(xml, invoice => {
    const applicable = isXRechnung(invoice) ? [...rules, ...germanRules] : rules
    return applicable.filter(rule => !holds(rule, invoice)).map(([id]) => id)
  })

/** The amounts that an invoice states, in cents. */
export const statedAmounts = (xml: string) =>
  reading(xml, invoice => ({
    net: invoice.cents(`${sums}/ram:TaxBasisTotalAmount`),
    tax: invoice.cents(`${sums}/ram:TaxTotalAmount`),
    gross: invoice.cents(`${sums}/ram:GrandTotalAmount`),
    paid: invoice.cents(`${sums}/ram:TotalPrepaidAmount`),
    due: invoice.cents(`${sums}/ram:DuePayableAmount`),
    lines: linesOf(invoice).map(line => line.cents(lineSum)),
    rates: Object.fromEntries(
      breakdownOf(invoice).map(group => [
        group.text('ram:RateApplicablePercent') ?? '',
        { net: group.cents('ram:BasisAmount'), tax: group.cents('ram:CalculatedAmount') },
      ]),
    ),
  }))
