import * as v from 'valibot'
import { fileHeaders, route } from '../route.ts'
import { described } from '../schema/wire.ts'

export const localization = route({
  path: '/localization/{path+}',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  body: v.object({ path: described(v.string(), 'Language, or language and table, as `de` or `de/countries`.') }),
  response: v.unknown(),
  mediaTypes: { 200: 'application/json', 304: null },
  headers: fileHeaders,
  documentedPaths: ['/localization/{language}', '/localization/{language}/{table}'],
  errors: ['localization_not_found'],
  summary:
    'Returns the names of ids and words in records: all tables of a `{language}`, or one as `{language}/{table}`.',
})
