import * as v from 'valibot'
import { DeskChange, NumberedMerchant } from '../records/merchant.ts'
import { route } from '../route.ts'
import { described, word } from '../schema/wire.ts'
import { paymentTypes } from '../vocabulary.ts'

export const customersGetMy = route({
  path: '/service/customers/getMy',
  level: 'service',
  permissions: { merchant: ['batchGet'], numbers: ['batchGet'], formerSeries: ['batchGet'] },
  body: v.object({}),
  response: NumberedMerchant,
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
  permissions: {
    merchant: ['get', 'batchGet', 'update'],
    numbers: ['batchGet', 'update'],
    formerSeries: ['batchGet', 'put'],
  },
  // The same fields again are the same merchant; a counter knows which next number was set last.
  repeat: 'safe',
  body: v.object({ data: described(DeskChange, 'The fields to change; others stay as they are.') }),
  response: NumberedMerchant,
  errors: ['nothing_to_change', 'number_taken'],
  summary: 'Changes the data of the merchant, the settings of its shop and the numbers of its documents.',
})
