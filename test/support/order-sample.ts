import type { Seller } from '../../shared/contract/records/order.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'

/** Amounts of an order with a rebate and a cashback, as its header and its documents show them. */
export const amounts = {
  taxrates: { 19: { net: '21.17', tax: '4.02', gross: '25.19' } },
  net: '21.17',
  tax: '4.02',
  gross: '25.19',
  item_net: '26.12',
  item_tax: '4.96',
  item_gross: '31.08',
  rebate: 5,
  rebate_net: '-4.95',
  rebate_tax: '-0.94',
  rebate_gross: '-5.89',
  cashback: 2,
  gross_cashback: '24.69',
  cashback_period: 10,
}

const profile = {
  name: 'Weinkontor Elbufer',
  company: 'Weinkontor Elbufer GmbH',
  address: 'Große Elbstraße 7',
  zip: '22767',
  city: 'Hamburg',
  countrycode: 'de',
  phone: '+49 40 5550123',
  mail: 'kontor@elbufer.example',
  www: 'https://elbufer.example',
  contact_person: 'Ada Kontor',
  taxid: '47/000/00000',
  vatid: 'DE000000000',
}

/** A merchant. */
export const merchant: Merchant = {
  id: 3,
  authid: 'wk-elbufer',
  payment_types: ['invoice'],
  default_payment_type: 'invoice',
  freight_free_from: null,
  redirect_hosts: [],
  crstamp: '2026-01-01 00:00:00',
  ...profile,
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  bankname: 'Bank am Hafen',
  bank_owner: 'Weinkontor Elbufer GmbH',
}

/** That merchant as an invoice keeps it. */
export const seller: Seller = {
  ...profile,
  tax_free_reason: null,
  timezone: 'Europe/Berlin',
  bank: { owner: 'Weinkontor Elbufer GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', name: 'Bank am Hafen' },
}
