import * as v from 'valibot'
import { GivenFacts } from './records/facts.ts'
import { NewWine, WineChange } from './records/wine.ts'
import { route } from './route.ts'
import { AnsweredWine } from './wines.ts'
import { described, Id } from './wire.ts'

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

const writeWine = {
  wine: ['batchGet', 'get', 'put'],
  catalogue: ['batchGet', 'update'],
  quota: ['batchGet'],
  winery: ['batchGet'],
  category: ['batchGet'],
  priceRange: ['get', 'batchGet'],
  imports: ['get', 'check'],
  slug: ['query', 'put', 'delete'],
  facts: ['get', 'put'],
  label: ['put'],
} as const

export const winesAdd = route({
  path: '/service/wines/add',
  level: 'service',
  permissions: { ...writeWine, wineOwner: ['put'], sequence: ['update'] },
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
