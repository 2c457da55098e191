import * as v from 'valibot'
import { route } from './route.ts'

export const campaignsFind = route({
  path: '/service/campaigns/find',
  level: 'service',
  forBuyers: true,
  repeat: 'safe',
  body: v.object({}),
  response: v.strictObject({}),
  errors: ['campaign_not_found'],
  summary: 'Looks for a discount code; the service has none.',
})
