import * as v from 'valibot'
import { route } from './route.ts'
import { optionalText } from './wire.ts'

export const campaignsFind = route({
  path: '/service/campaigns/find',
  level: 'service',
  forBuyers: true,
  body: v.object({ hash: v.nullish(optionalText()), basket_uuid: v.nullish(optionalText()) }),
  response: v.strictObject({}),
  errors: ['campaign_not_found'],
  summary: 'Looks for a discount code; the service has none.',
})
