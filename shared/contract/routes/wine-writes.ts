import * as v from 'valibot'
import { GivenFacts } from '../records/facts.ts'
import { NewWine, WineChange } from '../records/wine.ts'
import { route } from '../route.ts'
import { boundedWhole } from '../schema/fields.ts'
import { described, Id } from '../schema/wire.ts'
import { AnsweredWine } from './wines.ts'

const facts = described(
  v.optional(GivenFacts),
  'Ingredients, nutrition declaration, packaging and operator; `facts/getAll` returns them.',
)

/** The data of wines/add: the record, and the facts that are stored beside it. */
export const WineToAdd = v.strictObject({ ...NewWine.entries, facts })
export type WineToAdd = v.InferOutput<typeof WineToAdd>

/** The data of wines/edit. */
export const ChangedWine = v.strictObject({ ...WineChange.entries, facts })
export type ChangedWine = v.InferOutput<typeof ChangedWine>

/** The data of wines/rollOver: what the next vintage does not take over. */
export const NextVintage = v.omit(ChangedWine, ['vintage', 'version'])
export type NextVintage = v.InferOutput<typeof NextVintage>

const writeWine = {
  wine: ['batchGet', 'get', 'put'],
  merchant: ['batchGet'],
  catalogue: ['batchGet', 'update'],
  quota: ['batchGet'],
  winery: ['batchGet'],
  category: ['batchGet'],
  priceRange: ['get', 'batchGet'],
  recordsVersion: ['get', 'check'],
  slug: ['query', 'put', 'delete'],
  facts: ['get', 'put', 'check'],
  label: ['put'],
} as const

const addWine = { ...writeWine, wineOwner: ['put'], sequence: ['update'] } as const

export const winesAdd = route({
  path: '/service/wines/add',
  level: 'service',
  permissions: addWine,
  body: v.object({ data: described(WineToAdd, 'The new wine.') }),
  response: AnsweredWine,
  errors: ['reference_not_found', 'price_inconsistent', 'slug_taken', 'label_incomplete'],
  summary: 'Adds a wine.',
})

export const winesEdit = route({
  path: '/service/wines/edit',
  level: 'service',
  permissions: writeWine,
  body: v.object({
    id: described(Id, 'Id of the wine.'),
    data: described(ChangedWine, 'Fields to change; the others stay as they are.'),
  }),
  response: AnsweredWine,
  errors: [
    'wine_not_found',
    'nothing_to_change',
    'version_conflict',
    'reference_not_found',
    'price_inconsistent',
    'slug_taken',
    'label_incomplete',
    'label_published',
  ],
  summary: 'Changes the given fields of a wine.',
})

export const winesRollOver = route({
  path: '/service/wines/rollOver',
  level: 'service',
  permissions: addWine,
  // A wine has one next vintage: the same year again returns it.
  repeat: 'safe',
  body: v.object({
    id: described(Id, 'Id of the wine.'),
    vintage: described(boundedWhole(1000, 9999), 'Year of the next vintage, later than that of the wine.'),
    data: described(
      v.optional(NextVintage, {}),
      'Fields in which the next vintage differs. Of the former wine it has texts, prices, categories, winery, grapes, flags and the drawn picture; not stock, analysis, GTIN, facts, translations, sheet or a supplied picture.',
    ),
  }),
  response: AnsweredWine,
  errors: [
    'wine_not_found',
    'already_rolled_over',
    'reference_not_found',
    'price_inconsistent',
    'slug_taken',
    'label_incomplete',
  ],
  summary:
    'Makes the wine of the next vintage, marked `nostock`, and returns it; a repeat returns the same one. It takes over `path_segment` and `articlenumber`; those of the former wine end in its vintage from then on.',
})
