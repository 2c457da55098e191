import type { Seller } from '../../contract/records/order.ts'
import { amount, categoryOf, date, vat } from './cii-parts.ts'
import { type ContentRate, dueOf, hasOff, type InvoiceContent } from './content.ts'
import { payeeOf } from './payee.ts'
import { cashbackOf, dueDay, purposeOf, termsOf } from './terms.ts'
import type { XmlElement } from './xml.ts'

const breakdown = (rate: ContentRate, content: InvoiceContent): XmlElement => {
  const { taxFree } = content
  return [
    'ram:ApplicableTradeTax',
    [
      amount('CalculatedAmount', rate.tax),
      ['ram:TypeCode', 'VAT'],
      ['ram:ExemptionReason', taxFree?.reason],
      amount('BasisAmount', rate.net),
      ['ram:CategoryCode', categoryOf(rate.rate, content)],
      ['ram:ExemptionReasonCode', taxFree?.code],
      ['ram:RateApplicablePercent', String(rate.rate)],
    ],
  ]
}

const reasonOf = ({ rebates }: ContentRate, { language }: InvoiceContent): string =>
  rebates.join(', ') || (language === 'de' ? 'Rabatt' : 'Discount')

/** The rebates at a rate as an allowance; where the rounding of a part adds to it, a charge (BG-20, BG-21). */
const allowance = (rate: ContentRate, content: InvoiceContent): XmlElement | null => {
  const { net } = rate.off
  if (net === 0) return null
  return [
    'ram:SpecifiedTradeAllowanceCharge',
    [
      ['ram:ChargeIndicator', [['udt:Indicator', String(net < 0)]]],
      amount('ActualAmount', Math.abs(net)),
      ['ram:ReasonCode', net > 0 ? '95' : null],
      ['ram:Reason', reasonOf(rate, content)],
      vat('CategoryTradeTax', rate.rate, content),
    ],
  ]
}

const bankOf = ({ bank }: Seller): XmlElement[] => [
  [
    'ram:PayeePartyCreditorFinancialAccount',
    [
      ['ram:IBANID', bank.iban],
      ['ram:AccountName', bank.owner],
    ],
  ],
  ['ram:PayeeSpecifiedCreditorFinancialInstitution', [['ram:BICID', bank.bic]]],
]

const paymentMeans = (content: InvoiceContent): XmlElement => {
  const { code, account, debtor } = payeeOf(content)
  return [
    'ram:SpecifiedTradeSettlementPaymentMeans',
    [
      ['ram:TypeCode', code],
      debtor === null ? null : ['ram:PayerPartyDebtorFinancialAccount', [['ram:IBANID', debtor]]],
      ...(account ? bankOf({ ...content.seller, bank: account }) : []),
    ],
  ]
}

const paymentTerms = (content: InvoiceContent): XmlElement => {
  const [cashback, due] = [cashbackOf(content), dueDay(content)]
  // XRechnung reads discounts in this form (BR-DE-18); a line end must follow.
  const skonto = cashback ? `#SKONTO#TAGE=${cashback.days}#PROZENT=${cashback.percent.toFixed(2)}#\n` : ''
  return [
    'ram:SpecifiedTradePaymentTerms',
    [
      ['ram:Description', skonto + termsOf(content).join('\n')],
      due === null ? null : date('ram:DueDateDateTime', due),
      ['ram:DirectDebitMandateID', payeeOf(content).mandate],
    ],
  ]
}

const summation = (content: InvoiceContent): XmlElement => {
  const { lines, rates, total, paid } = content
  const offs = rates.map(({ off }) => off.net)
  const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)
  const charges = sum(offs.filter(off => off < 0).map(off => -off))
  const allowances = sum(offs.filter(off => off > 0))
  return [
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    [
      amount('LineTotalAmount', sum(lines.map(({ net }) => net))),
      charges > 0 ? amount('ChargeTotalAmount', charges) : null,
      allowances > 0 ? amount('AllowanceTotalAmount', allowances) : null,
      amount('TaxBasisTotalAmount', total.net),
      amount('TaxTotalAmount', total.tax, { currencyID: 'EUR' }),
      amount('GrandTotalAmount', total.gross),
      paid > 0 ? amount('TotalPrepaidAmount', paid) : null,
      amount('DuePayableAmount', dueOf(content)),
    ],
  ]
}

/** How an invoice is paid, its tax by rate, its rebates, terms and sums (BG-16 to BG-23). */
export const settlement = (content: InvoiceContent): XmlElement => [
  'ram:ApplicableHeaderTradeSettlement',
  [
    ['ram:CreditorReferenceID', payeeOf(content).creditor],
    ['ram:PaymentReference', purposeOf(content)],
    ['ram:InvoiceCurrencyCode', 'EUR'],
    paymentMeans(content),
    ...content.rates.map(rate => breakdown(rate, content)),
    ...content.rates.filter(hasOff).map(rate => allowance(rate, content)),
    paymentTerms(content),
    summation(content),
    content.corrects && [
      'ram:InvoiceReferencedDocument',
      [
        ['ram:IssuerAssignedID', content.corrects.number],
        date('ram:FormattedIssueDateTime', content.corrects.day, 'qdt'),
      ],
    ],
  ],
]
