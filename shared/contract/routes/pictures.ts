import * as v from 'valibot'
import { fileHeaders, route } from '../route.ts'
import { described, wholeBetween } from '../schema/wire.ts'

const pixels = (side: string) => described(v.optional(wholeBetween(1, 2000)), `Maximum ${side} in pixels, 1 to 2000.`)

export const pictures = route({
  path: '/Images/{kind}/{id}/{file}',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  permissions: { wine: ['get'] },
  files: ['readPictures', 'writePictures'],
  repeat: 'safe',
  memory: 1769,
  timeout: 29,
  body: v.object({
    kind: described(v.string(), 'Kind of the record: `wine`, `product`, `winery`, `category` or `merchant`.'),
    id: described(v.string(), 'Merchant and record, as the path in the record has it.'),
    file: described(v.string(), 'File name, as the path in the record has it.'),
    width: pixels('width'),
    height: pixels('height'),
  }),
  response: v.unknown(),
  mediaTypes: { 200: 'image/*', 304: null },
  headers: fileHeaders,
  errors: ['picture_not_found'],
  summary:
    'Returns the bytes of a picture; within a width or height, rounded up to 160, 320, 480, 640, 960, 1280 or 2000 pixels.',
})
