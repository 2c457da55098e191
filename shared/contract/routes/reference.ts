import * as v from 'valibot'
import { fileHeaders, route } from '../route.ts'
import { described } from '../schema/wire.ts'

export const openApi = route({
  path: '/openapi.json',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  body: v.object({}),
  response: v.unknown(),
  mediaTypes: { 200: 'application/json', 304: null },
  headers: fileHeaders,
  summary: 'Describes every route, as an OpenAPI 3.1 document.',
})

export const docs = route({
  path: '/docs',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  body: v.object({}),
  response: v.unknown(),
  mediaTypes: { 200: 'text/html', 304: null },
  headers: fileHeaders,
  summary: 'Shows the reference of all routes, with guides, in a browser.',
})

export const clientPackage = route({
  path: '/weinkontor-client.tgz',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  body: v.object({}),
  response: v.unknown(),
  mediaTypes: { 200: 'application/gzip', 304: null },
  headers: fileHeaders,
  summary: 'Returns the typed client for TypeScript and JavaScript, as npm installs it.',
})

// Not below /docs: the folder of a function's bundle must not be inside another function's.
export const docsAssets = route({
  path: '/docs-assets/{file}',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  body: v.object({
    file: described(v.string(), 'Name of the file.'),
    v: described(v.optional(v.string()), 'Version of the file; with it, caches keep the file for a year.'),
  }),
  response: v.unknown(),
  mediaTypes: { 200: '*/*', 304: null },
  headers: {
    reads: { ...fileHeaders.reads, 'accept-encoding': 'What the caller can decode: br and gzip are there.' },
    sends: { ...fileHeaders.sends, 'content-encoding': 'How these bytes are encoded, if they are.' },
  },
  errors: ['asset_not_found'],
  summary: 'Returns a script, style or picture of the reference page.',
})
