import * as v from 'valibot'
import { route } from '../route.ts'
import { described, optionalText } from '../schema/wire.ts'

export const campaignsFind = route({
  path: '/service/campaigns/find',
  level: 'service',
  forBuyers: true,
  body: v.object({
    hash: described(v.nullish(optionalText()), 'The discount code.'),
    basket_uuid: described(v.nullish(optionalText()), 'UUID of the basket it is for.'),
  }),
  response: v.strictObject({}),
  errors: ['campaign_not_found'],
  summary: 'Looks for a discount code; the service has none.',
})
