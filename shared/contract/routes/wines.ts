import * as v from 'valibot'
import { consumerInformation } from '../records/consumer-information.ts'
import { PublicWine, Wine } from '../records/wine.ts'
import { responseHeaders, route } from '../route.ts'
import { recordName } from '../schema/lists.ts'
import { described, Id, inshop } from '../schema/wire.ts'

export const Named = v.array(
  v.strictObject({
    id: described(v.number(), 'Id of the record.'),
    name: described(v.string(), 'Name of the record.'),
  }),
)

/** A wine as it is answered. */
export const AnsweredWine = v.strictObject({ ...Wine.entries, ...consumerInformation })

/** The public part of a wine as it is answered. */
export const AnsweredPublicWine = v.strictObject({ ...PublicWine.entries, ...consumerInformation })

/**
 * A wine as shops read it: with the names of its categories, and with further field names for existing clients. `price` is
 * `gross`; `expertiseStatus` is OK if `expertisePdf` is the URL of a sheet.
 */
export const ShownWine = v.strictObject({
  ...AnsweredWine.entries,
  price: described(v.string(), 'The same as `gross`.'),
  categories: described(Named, 'Categories that the wine is in.'),
  expertiseStatus: described(v.nullable(v.literal('OK')), '`OK` if `expertisePdf` leads to a PDF, else null.'),
})

export const winesGet = route({
  path: '/service/wines/get',
  level: 'service',
  client: 'prices',
  aliases: { wine: 'data' },
  isFlat: true,
  permissions: {
    wine: ['batchGet'],
    merchant: ['batchGet'],
    slug: ['get'],
    category: ['get', 'query'],
    recordsVersion: ['get'],
  },
  body: v.object({ ...recordName, inshop }),
  response: ShownWine,
  errors: ['missing_identifier', 'identifier_conflict', 'wine_not_found'],
  summary:
    'Reads one wine by id or path_segment; with inshop only one that its shop sells. Its fields are at the top level, too.',
})

/** The properties of public reads; responses to POST are not cached. */
export const publicRead = {
  methods: ['GET', 'POST'],
  level: 'public',
  headers: responseHeaders,
} as const

export const publicGetPublic = route({
  path: '/wines/getPublic',
  ...publicRead,
  permissions: { publicWine: ['get'], publicHash: ['get'], publicSlug: ['query'], merchant: ['get'] },
  body: v.object({
    id: described(v.nullish(Id), 'Id of the wine; `id`, `hash` or `path_segment` must be given.'),
    hash: described(v.nullish(v.string()), 'Public name of the wine, from its QR code.'),
    path_segment: described(v.nullish(v.string()), 'Name of the wine in URLs.'),
  }),
  response: AnsweredPublicWine,
  errors: ['missing_identifier', 'identifier_conflict', 'wine_not_found'],
  summary: 'Reads one publicly visible wine.',
})
