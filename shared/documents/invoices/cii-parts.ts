import type { Day } from '../../values/day.ts'
import { formatMoney } from '../../values/money.ts'
import type { InvoiceContent } from './content.ts'
import type { XmlElement } from './xml.ts'

/** A day in the form of CII. */
export const date = (name: string, day: Day, prefix: 'udt' | 'qdt' = 'udt'): XmlElement => [
  name,
  [[`${prefix}:DateTimeString`, day.replaceAll('-', ''), { format: '102' }]],
]

/** An amount of cents. */
export const amount = (name: string, cents: number, attributes?: Record<string, string>): XmlElement => [
  `ram:${name}`,
  formatMoney(cents),
  attributes,
]

/** The VAT category of a rate (UNTDID 5305). */
export const categoryOf = (rate: number, { taxFree }: InvoiceContent): string =>
  taxFree?.category ?? (rate === 0 ? 'Z' : 'S')

/** The tax of a line or an allowance. */
export const vat = (name: string, rate: number, content: InvoiceContent): XmlElement => [
  `ram:${name}`,
  [
    ['ram:TypeCode', 'VAT'],
    ['ram:CategoryCode', categoryOf(rate, content)],
    ['ram:RateApplicablePercent', String(rate)],
  ],
]
