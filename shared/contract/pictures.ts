import * as v from 'valibot'
import { fileHeaders, route } from './route.ts'
import { between } from './wire.ts'

const pixels = v.optional(between(1, 2000))

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
  body: v.object({ kind: v.string(), id: v.string(), file: v.string(), width: pixels, height: pixels }),
  response: v.unknown(),
  serves: { 200: 'image/*', 304: null },
  headers: fileHeaders,
  errors: ['picture_not_found'],
  summary:
    'Returns the bytes of a picture; within a width or height, rounded up to 160, 320, 480, 640, 960, 1280 or 2000 pixels.',
})
