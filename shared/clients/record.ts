import type { Flag } from '../wines/record.ts'

/** A client record (interface document 2.2); `cashback` and `rebate` are whole percents, periods are days. */
export type Client = {
  id: number
  company: string | null
  taxid: string | null
  address: string | null
  address_supplement: string | null
  zip: string | null
  city: string | null
  countrycode: string | null
  mail: string | null
  www: string | null
  department: string | null
  phone: string | null
  mobile: string | null
  fax: string | null
  type: string
  active: Flag
  newsletter: Flag
  image: string | null
  bank: string | null
  iban: string | null
  bic: string | null
  invoice_type: string | null
  invoice_remark: string | null
  unique_mandate_reference: string | null
  tax_free: Flag
  payment_type: string | null
  payment_period: number | null
  cashback_period: number | null
  cashback: number | null
  rebate: number | null
  username: string | null
  customers_id: number
  number: string | null
  price_range_id: number | null
  delivery_address_id: number | null
  delivery_note_remark: string | null
  title: string | null
  gender: string | null
  salutation: string | null
  first_name: string | null
  last_name: string | null
  deleted: Flag
}
