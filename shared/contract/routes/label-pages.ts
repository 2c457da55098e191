import * as v from 'valibot'
import { route } from '../route.ts'
import { described } from '../schema/wire.ts'

export const labelPages = route({
  path: '/e/{path+}',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  permissions: { label: ['get'] },
  body: v.object({
    path: described(v.string(), 'Hash of the wine; `/qr.svg` or `/qr.png` after it for the QR code.'),
    lang: described(
      v.optional(v.string()),
      'Language of the page in two letters, one of the 24 of the European Union; that of `Accept-Language` if left out.',
    ),
  }),
  response: v.unknown(),
  mediaTypes: { 200: ['text/html', 'image/svg+xml', 'image/png'], 304: null, 404: 'text/html', 410: 'text/html' },
  headers: {
    reads: {
      'if-none-match': 'The ETag of the cached response. The response is 304 if that is still current.',
      'accept-language': 'Languages of the caller; German if the page has none of them.',
      accept: 'With `text/html`, a refusal is a page as well.',
    },
    sends: {
      etag: 'Identifies this response.',
      'cache-control': 'How long the response may be cached.',
      'content-language': 'Language of the page.',
    },
  },
  documentedPaths: ['/e/{hash}', '/e/{hash}/qr.svg', '/e/{hash}/qr.png'],
  errors: ['label_not_found', 'label_withdrawn'],
  summary:
    'Shows the electronic label of a wine in 24 languages, or the QR code that leads to it. No address is logged.',
})
