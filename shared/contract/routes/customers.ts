import * as v from 'valibot'
import { MerchantChange, ShownMerchant } from '../records/merchant.ts'
import { route } from '../route.ts'
import { described, word } from '../schema/wire.ts'
import { paymentTypes } from '../vocabulary.ts'

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

export const customersEdit = route({
  path: '/service/customers/edit',
  level: 'service',
  role: 'desk',
  permissions: { merchant: ['get', 'update'] },
  // The same fields again are the same merchant.
  repeat: 'safe',
  body: v.object({ data: described(MerchantChange, 'The fields to change; others stay as they are.') }),
  response: ShownMerchant,
  errors: ['nothing_to_change'],
  summary: 'Changes the data of the merchant and the settings of its shop.',
})
