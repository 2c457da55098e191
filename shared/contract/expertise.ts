import * as v from 'valibot'
import { fileHeaders, route } from './route.ts'
import { Id } from './wire.ts'

// A sheet is drawn by whichever route asks for it first.
const drawSheet = {
  wine: ['batchGet', 'get', 'put'],
  catalogue: ['batchGet', 'update'],
  merchant: ['get'],
  grape: ['batchGet'],
  drawing: ['put', 'delete'],
} as const
const drawing = { memory: 1769, timeout: 29, repeat: 'safe' } as const

export const winesGetExpertise = route({
  path: '/service/wines/getExpertise',
  level: 'service',
  envelope: 'bare',
  permissions: drawSheet,
  files: ['writeExpertise', 'readPictures'],
  ...drawing,
  body: v.object({ id: Id }),
  response: v.object({
    pdf: v.string(),
    templateFile: v.string(),
    'template-date': v.number(),
    'wine-date': v.number(),
    'existingPDF-data': v.number(),
    action: v.picklist(['created', 'updated', 'none']),
  }),
  errors: ['wine_not_found'],
  summary: "Makes sure that a wine's expertise PDF is there and up to date, and tells where.",
})

const servePdf = {
  permissions: { ...drawSheet, wineOwner: ['get'], publicWine: ['get'] },
  files: ['readExpertise', 'writeExpertise', 'readPictures'],
  ...drawing,
} as const

export const downloadExpertise = route({
  path: '/wines/downloadExpertise',
  methods: ['GET', 'POST'],
  level: 'public',
  envelope: 'raw',
  ...servePdf,
  body: v.object({ wineId: Id, expertiseFileName: v.string() }),
  response: v.unknown(),
  serves: { 302: null },
  headers: { sends: { location: 'Where the PDF is.' } },
  errors: ['expertise_not_found'],
  summary: "Redirects to a wine's expertise PDF.",
})

export const pdf = route({
  path: '/PDF/{id}/{file}',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  ...servePdf,
  body: v.object({ id: v.string(), file: v.string() }),
  response: v.unknown(),
  serves: { 200: 'application/pdf', 206: 'application/pdf', 304: null },
  headers: {
    reads: { ...fileHeaders.reads, range: 'A range of bytes, as `bytes=0-1023`.' },
    sends: { ...fileHeaders.sends, 'content-range': 'Which bytes of how many a 206 holds.' },
  },
  errors: ['expertise_not_found', 'range_not_satisfiable'],
  summary: "Returns the bytes of a wine's expertise PDF.",
})
