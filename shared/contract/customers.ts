import * as v from 'valibot'
import { ShownMerchant } from './records/merchant.ts'
import { route } from './route.ts'
import { paymentTypes } from './vocabulary.ts'
import { word } from './wire.ts'

export const customersGetMy = route({
  path: '/service/customers/getMy',
  level: 'service',
  permissions: { merchant: ['get'] },
  body: v.object({}),
  response: ShownMerchant,
  summary: 'Returns the merchant’s data for pages and mails.',
})

export const customersAvailablePayments = route({
  path: '/service/customers/availablePayments',
  level: 'service',
  aliases: { payments: 'data' },
  permissions: { merchant: ['get'] },
  body: v.object({}),
  response: v.array(word(paymentTypes)),
  summary: 'Lists the payment types that the merchant has enabled.',
})
