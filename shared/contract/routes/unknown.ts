import * as v from 'valibot'
import { route } from '../route.ts'

/** Answers the requests that match no other route; the gateway's `$default`. */
export const unknown = route({
  path: '/unknown',
  methods: [],
  level: 'open',
  envelope: 'raw',
  body: v.unknown(),
  response: v.unknown(),
  errors: ['route_not_found'],
  summary: 'Refuses unknown paths in the contract’s error shape.',
})
