import * as v from 'valibot'
import { route } from './route.ts'

const localizationOf = {
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  response: v.unknown(),
  errors: ['localization_not_found'],
} as const

export const localization = route({
  path: '/localization/{language}',
  ...localizationOf,
  body: v.object({ language: v.string() }),
  summary: 'Returns what the ids and words of records are called in a language: all tables, in an object of their own.',
})

export const localizationTable = route({
  path: '/localization/{language}/{table}',
  ...localizationOf,
  body: v.object({ language: v.string(), table: v.string() }),
  summary: 'Returns one table of a localization.',
})
