import type { Settings } from '../settings.ts'
import type { DemoMerchant } from './credentials.ts'

const common: Settings = {
  payment_types: ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank'],
  default_payment_type: 'invoice',
  payment_provider: 'sandbox',
  freight_free_from: '150.00',
  redirect_hosts: [],
  ships_to: ['de', 'at'],
  countrycode: 'de',
  // The IBAN of the standard's own example.
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
}

const profiles: Record<DemoMerchant, Partial<Settings>> = {
  elbufer: {
    company: 'Weinkontor Elbufer GmbH',
    address: 'Große Elbstraße 7',
    zip: '22767',
    city: 'Hamburg',
    phone: '+49 40 5550123',
    mail: 'kontor@elbufer.example',
    www: 'https://elbufer.example',
    taxid: '47/000/00000',
    vatid: 'DE000000000',
    bankname: 'Bank am Hafen',
    bank_owner: 'Weinkontor Elbufer GmbH',
  },
  sonnenhang: {
    company: 'Weingut Sonnenhang',
    address: 'Am Sonnenhang 1',
    zip: '54470',
    city: 'Bernkastel-Kues',
    phone: '+49 6531 555012',
    mail: 'weingut@sonnenhang.example',
    www: 'https://sonnenhang.example',
    taxid: '43/000/00000',
    vatid: 'DE000000001',
    bankname: 'Bank an der Mosel',
    bank_owner: 'Weingut Sonnenhang',
  },
}

/** The settings of a demo merchant; companies, numbers and accounts are made up. */
export const demoSettingsOf = (merchant: DemoMerchant): Settings => ({ ...common, ...profiles[merchant] })
