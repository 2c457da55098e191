import * as v from 'valibot'
import { labelLanguages } from '../labels/label-tables.ts'
import { Facts } from '../records/facts.ts'
import { Wine } from '../records/wine.ts'
import { route } from '../route.ts'
import { oneOfWords } from '../schema/fields.ts'
import { described, Id, paging, word } from '../schema/wire.ts'
import { publicRead } from './wines.ts'

const nullableText = v.nullable(v.string())

/** A row of a label, as shops sort them. */
export const FactRow = v.strictObject({
  factgroup: described(word(['nutritionalInformation', 'ingredients', 'recycling']), 'Part of the label.'),
  subgroup: described(v.string(), 'Class of an ingredient as shops sort them, else `general`.'),
  key: described(nullableText, 'Key of the nutrient, the ingredient or the part of the packaging; null without one.'),
  name: described(v.string(), 'Name in the language of the request.'),
  quantity: described(nullableText, 'Amount in 100 ml; `0.0` for a negligible one, null where there is no amount.'),
  unit: described(nullableText, 'Unit of the amount: kJ, kcal or g.'),
  enumber: described(nullableText, 'E number of the ingredient, or code of the material.'),
  allergen: described(v.number(), '1 for an allergen, which labels emphasize.'),
  and_or: described(v.number(), '1 if the wine contains one or more of the ingredients of its class with this mark.'),
})
export type FactRow = v.InferOutput<typeof FactRow>

const language = described(
  v.nullish(oneOfWords(labelLanguages)),
  'Language of the names, one of the 24 of the European Union; that of the wine if left out.',
)
const rows = described(v.array(FactRow), 'The rows of the label: nutrition, ingredients, recycling.')
const url = (sentence: string) => described(v.nullable(v.string()), sentence)

export const factsGetAll = route({
  path: '/service/facts/getAll',
  level: 'service',
  client: 'prices',
  envelope: 'bare',
  permissions: { wine: ['batchGet'], facts: ['batchGet'] },
  body: v.object({ wine_id: described(Id, 'Id of the wine.'), language }),
  response: v.strictObject({
    data: rows,
    facts: described(Facts, 'The facts as `wines/add` and `wines/edit` take them.'),
    label: described(
      v.strictObject({
        status: described(word(['none', 'published', 'withdrawn']), 'State of the electronic label.'),
        url: url('URL of its page; null if it is not published.'),
      }),
      'The electronic label.',
    ),
  }),
  errors: ['wine_not_found'],
  summary: 'Reads the ingredients, the nutrition declaration and the packaging of a wine.',
})

export const elabelsGet = route({
  path: '/elabels/get',
  ...publicRead,
  envelope: 'bare',
  permissions: { label: ['get'] },
  body: v.object({
    uuid: described(v.string(), '`hash` of the wine, with or without hyphens as in a UUID.'),
    language,
  }),
  response: v.strictObject({
    data: rows,
    url: described(v.string(), 'URL of the page of the label.'),
  }),
  errors: ['label_not_found', 'label_withdrawn'],
  summary: 'Reads a published electronic label.',
})

/** The particulars that the law requires of a wine that is for sale. */
export const lawWords = [
  ...(['alcohol', 'base_price', 'allergens', 'bottler', 'importer'] as const),
  ...(['exempt', 'ingredients', 'ingredient_name', 'nutrition'] as const),
] as const

export type LawWord = (typeof lawWords)[number]

const { short: _, ...place } = paging

const CheckedWine = v.strictObject({
  ...v.pick(Wine, ['id', 'articlenumber', 'name', 'vintage']).entries,
  missing: described(
    v.array(
      v.strictObject({
        word: described(word(lawWords), 'Name of the particular.'),
        text: described(v.string(), 'The same as a sentence.'),
      }),
    ),
    'Particulars that the law requires and the wine lacks; empty for a complete wine.',
  ),
})

export const winesCheck = route({
  path: '/service/wines/check',
  level: 'service',
  role: 'desk',
  envelope: 'list',
  permissions: {
    wine: ['queryIndex', 'batchGet'],
    winery: ['get', 'query'],
    recordsVersion: ['get'],
    facts: ['batchGet'],
    merchant: ['get'],
  },
  files: ['readSnapshots'],
  memory: 1024,
  body: v.object({
    ...place,
    language: described(
      v.nullish(oneOfWords(['de', 'en'])),
      'Language of the sentences; that of the merchant, German or English, if left out.',
    ),
  }),
  response: CheckedWine,
  listFields: v.object({
    incomplete: described(v.number(), 'Number of wines on this page with something missing.'),
  }),
  summary: 'Lists the wines that are for sale, each with the particulars that the law requires and that it lacks.',
})
