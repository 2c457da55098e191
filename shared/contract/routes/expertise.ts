import * as v from 'valibot'
import { fileHeaders, route } from '../route.ts'
import { described, Id } from '../schema/wire.ts'

// The first route that needs a sheet draws it.
const drawSheet = {
  wine: ['batchGet', 'get', 'put'],
  catalogue: ['batchGet', 'update'],
  merchant: ['get'],
  grape: ['batchGet'],
  facts: ['get', 'check'],
  sheetLease: ['put', 'delete'],
} as const
const drawsSheet = { memory: 1769, timeout: 29, repeat: 'safe' } as const

export const winesGetExpertise = route({
  path: '/service/wines/getExpertise',
  level: 'service',
  envelope: 'bare',
  permissions: drawSheet,
  files: ['writeExpertise', 'readPictures'],
  ...drawsSheet,
  body: v.object({ id: described(Id, 'Id of the wine.') }),
  response: v.object({
    pdf: described(v.string(), 'Path of the PDF, as `/PDF/12/riesling.pdf`; empty if the wine is not to be shown.'),
    templateFile: described(v.string(), 'Name of the template.'),
    'template-date': described(v.number(), 'Date of the template, in Unix seconds.'),
    'wine-date': described(v.number(), 'Last change of the wine, in Unix seconds.'),
    'existingPDF-data': described(v.number(), 'Date of the PDF that was there before, in Unix seconds; 0 for none.'),
    action: described(v.picklist(['created', 'updated', 'none']), 'What the request did to the PDF.'),
  }),
  errors: ['wine_not_found'],
  summary: "Creates or updates a wine's expertise PDF if needed, and returns its path.",
})

const servePdf = {
  permissions: { ...drawSheet, wineOwner: ['get'], publicWine: ['get'] },
  files: ['readExpertise', 'writeExpertise', 'readPictures'],
  ...drawsSheet,
} as const

export const downloadExpertise = route({
  path: '/wines/downloadExpertise',
  methods: ['GET', 'POST'],
  level: 'public',
  envelope: 'raw',
  ...servePdf,
  body: v.object({
    wineId: described(Id, 'Id of the wine.'),
    expertiseFileName: described(v.string(), 'File name of the PDF (`pdf` of the wine).'),
  }),
  response: v.unknown(),
  mediaTypes: { 302: null },
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
  body: v.object({
    id: described(v.string(), 'Id of the wine.'),
    file: described(v.string(), 'File name of the PDF.'),
  }),
  response: v.unknown(),
  mediaTypes: { 200: 'application/pdf', 206: 'application/pdf', 302: null, 304: null },
  headers: {
    reads: { ...fileHeaders.reads, range: 'A range of bytes, as `bytes=0-1023`.' },
    sends: {
      ...fileHeaders.sends,
      location: 'Link to a PDF above 4 MB, in a 302.',
      'content-range': 'Which bytes of how many a 206 holds.',
    },
  },
  errors: ['expertise_not_found', 'range_not_satisfiable'],
  summary: "Returns the bytes of a wine's expertise PDF.",
})
