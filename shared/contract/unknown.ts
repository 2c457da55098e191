import * as v from 'valibot'
import { route } from './route.ts'

/** Answers whatever no other route does; the gateway's `$default`. */
export const unknown = route({
  path: '/unknown',
  methods: [],
  level: 'open',
  form: 'raw',
  body: v.unknown(),
  answer: v.unknown(),
  says: 'Answers unknown paths in the contract’s error shape.',
})
