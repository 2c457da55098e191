import * as v from 'valibot'
import { genders, paymentTypes } from '../contract/vocabulary.ts'
import { CountryCode, Flag, filled, optionalLines } from '../contract/wire.ts'
import { type Format, formatOf, type RowOf } from '../imports/format.ts'
import { givenOnly, valuesOf } from '../imports/objects.ts'
import { type Plan, planRows, type Refuse } from '../imports/plan.ts'
import { type Fields, OneLine, oneOf, whole } from '../imports/values.ts'
import type { Client } from './record.ts'
import { clientTypes, invoiceTypes } from './values.ts'

const Percent = v.nullable(whole(0, 100))
const Days = v.nullable(whole(0, 365))

const fields = {
  number: filled(),
  type: oneOf(clientTypes),
  company: OneLine,
  department: OneLine,
  gender: v.nullable(oneOf(genders)),
  title: OneLine,
  salutation: OneLine,
  first_name: OneLine,
  last_name: OneLine,
  address: OneLine,
  address_supplement: OneLine,
  zip: OneLine,
  city: OneLine,
  countrycode: v.nullable(CountryCode),
  mail: OneLine,
  phone: OneLine,
  mobile: OneLine,
  fax: OneLine,
  www: OneLine,
  taxid: OneLine,
  price_range: OneLine,
  invoice_type: v.nullable(oneOf(invoiceTypes)),
  payment_type: v.nullable(oneOf(paymentTypes)),
  payment_period: Days,
  rebate: Percent,
  cashback: Percent,
  cashback_period: Days,
  tax_free: Flag,
  invoice_remark: optionalLines(4000),
  delivery_note_remark: optionalLines(4000),
  bank: OneLine,
  iban: OneLine,
  bic: OneLine,
  unique_mandate_reference: OneLine,
  newsletter: Flag,
  username: OneLine,
  image: OneLine,
  active: Flag,
  deleted: Flag,
} satisfies Fields

/**
 * One client as an import gives it, keyed by its number. A key that is missing leaves the client's value alone; null
 * clears it. The price range goes by its name; the delivery address is not in it, for addresses have no name.
 */
export type ClientRow = RowOf<typeof fields, 'number'>

/** How clients stand in files. */
export const clientFormat: Format<ClientRow> = formatOf({ fields, required: ['number'] })

/** The price ranges of a merchant: names by id. */
export type RangeNames = ReadonlyMap<number, string>

const ownKeys = Object.keys(fields).filter(key => key !== 'price_range')

const rowOf = (client: Client, ranges: RangeNames): ClientRow => ({
  ...(valuesOf(client, ownKeys) as ClientRow),
  price_range: ranges.get(client.price_range_id ?? 0) ?? null,
})

const checker =
  (ranges: RangeNames) =>
  ({ last_name, company, price_range }: ClientRow, refuse: Refuse): void => {
    if (!last_name && !company) refuse('last_name', 'named', 'given, or company')
    const names = [...ranges.values()]
    if (price_range && !names.includes(price_range)) {
      refuse('price_range', 'one_of', names.length > 0 ? names.join(', ') : 'empty, for there are no price ranges')
    }
  }

/** What importing the rows would do to the clients of one merchant. */
export const planClients = (
  clients: readonly Client[],
  rows: readonly ClientRow[],
  ranges: RangeNames,
  lines?: readonly number[],
): Plan<ClientRow, Client> =>
  planRows(
    clients.filter(({ number }) => number !== null),
    rows,
    { column: 'number', noun: 'client', rowOf: client => rowOf(client, ranges), check: checker(ranges) },
    lines,
  )

/** What a row says of its client's record. */
export const clientValues = ({ price_range, ...row }: ClientRow, ranges: RangeNames): Partial<Client> => {
  const range = [...ranges].find(([, name]) => name === price_range)
  return {
    ...(givenOnly(row) as Partial<Client>),
    ...(price_range !== undefined && { price_range_id: range?.[0] ?? null }),
  }
}

/** The clients as rows, such that planClients finds nothing to do; one without a number cannot be named and is left out. */
export const exportClients = (clients: readonly Client[], ranges: RangeNames): ClientRow[] =>
  clients.filter(({ number }) => number !== null).map(client => rowOf(client, ranges))
