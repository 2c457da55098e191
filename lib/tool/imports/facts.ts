import * as v from 'valibot'
import {
  type FactsChange,
  factsOf,
  needsFacts,
  type StoredFacts,
  withFacts,
} from '../../../shared/catalogue/wines/facts.ts'
import type { StoredWine } from '../../../shared/catalogue/wines/stored.ts'
import { Problem } from '../../../shared/contract/errors.ts'
import {
  Facts,
  GivenFacts,
  type Ingredient,
  nutritionEntries,
  Operator,
} from '../../../shared/contract/records/facts.ts'
import { wineFields } from '../../../shared/contract/records/wine.ts'
import {
  type Field,
  type FieldTable,
  givenEntries,
  givenOnly,
  OneLine,
  pick,
} from '../../../shared/contract/schema/fields.ts'
import { Flag } from '../../../shared/contract/schema/wire.ts'
import { validate } from '../../../shared/http/request.ts'
import type { RecordItem } from '../../../shared/platform/table/items.ts'
import { lastNumber, type MerchantId, merchantIdOf, partition } from '../../../shared/platform/table/keys.ts'
import { queryEntries } from '../../../shared/platform/table/table.ts'
import type { Action } from '../../../shared/platform/table/transact.ts'
import { cellOf } from './cells.ts'
import { partColumn } from './columns.ts'
import { type FieldChange, fieldChanges, type Refuse } from './plan.ts'

// The columns of a wine's facts: `facts_ingredients`, `facts_kj` … Facts are no field of the wine, but columns of its row.

const examples = {
  kj: 294,
  kcal: 71,
  fat: '0.0',
  saturates: '0.0',
  carbohydrate: '1.0',
  sugars: '0.3',
  protein: '0.0',
  salt: '0.01',
  glycerol: '7.0',
  negligible: ['fat', 'saturates', 'protein', 'salt'],
} as const satisfies Record<keyof typeof nutritionEntries, unknown>

const nutritionNames = Object.keys(nutritionEntries) as (keyof typeof nutritionEntries)[]

const nutritionFields = Object.fromEntries(
  nutritionNames.map((name): [string, Field] => {
    const column = nutritionEntries[name]
    return [name, { column, description: v.getDescription(column) ?? '', example: examples[name] }]
  }),
) as { [Name in keyof typeof nutritionEntries]: { column: (typeof nutritionEntries)[Name]; description: string } }

const ingredients: Ingredient[] = [
  { key: 'grapes' },
  { key: 'sulphites' },
  { name: 'Eichenholz', class: 'other', names: { en: 'Oak wood' } },
]

const factsFields = {
  ingredients: {
    column: Facts.entries.ingredients,
    description: 'Ingredients, in the order in which the label lists them.',
    inFiles:
      'Each is a key of the table `ingredients`, or name=class; then, each after `=`, an E number, `allergen`, `and_or`, and names in other languages as `en:Oak wood`.',
    example: ingredients,
  },
  ...nutritionFields,
  packaging: {
    column: Facts.entries.packaging,
    description: 'Parts of the packaging and the codes of their materials, for recycling.',
    example: [
      { part: 'bottle', material: 'GL 71' },
      { part: 'cork', material: 'FOR 51' },
    ],
  },
  operator: { column: OneLine, description: 'Name of the responsible operator.', example: 'Weingut Beispiel' },
  operator_role: {
    column: v.nullable(Operator.entries.role),
    description: 'Role of the operator.',
    example: 'bottled_by',
  },
  operator_address: {
    column: OneLine,
    description: 'Address of the operator, in one line.',
    example: 'Hauptstraße 1, 54470 Bernkastel',
  },
  exempt: {
    column: Flag,
    default: 0,
    description: v.getDescription(Facts.entries.exempt) ?? '',
  },
  published: {
    column: Flag,
    default: 0,
    description: '1 publishes the electronic label; 0 withdraws it.',
    inFiles: 'An empty cell leaves it as it is.',
  },
} as const satisfies FieldTable

const FiledFacts = v.strictObject(givenEntries(factsFields, 'column', []))

/** The facts of a wine in files. A missing column leaves the fact. */
export type FiledFacts = v.InferOutput<typeof FiledFacts>

/** The columns of wine files: the fields of the wine, and its facts. */
export const filedWineFields = {
  ...wineFields,
  facts: {
    column: FiledFacts,
    description: 'Ingredients, nutrition declaration, packaging, operator and electronic label.',
    fields: factsFields,
  },
} as const satisfies FieldTable

/** The facts of wines by the ids of the wines, as they are stored. */
export type FactItems = ReadonlyMap<number, RecordItem>

/** Reads the facts of all wines of a merchant. */
export const readFactItems = async (merchant: MerchantId): Promise<FactItems> => {
  const entries = await queryEntries({ pk: partition('facts', { merchant }) })
  return new Map(entries.map(({ sk, item }) => [lastNumber(sk), item]))
}

const noNutrition = { ...Object.fromEntries(nutritionNames.map(name => [name, null])), negligible: [] }

const toFiledFacts = ({ nutrition, operator, published, withdrawn, ...facts }: StoredFacts): FiledFacts => ({
  ingredients: facts.ingredients,
  ...noNutrition,
  ...nutrition,
  packaging: facts.packaging,
  operator: operator?.name ?? null,
  operator_role: operator?.role ?? null,
  operator_address: operator?.address ?? null,
  exempt: facts.exempt,
  published: published !== null && withdrawn === null ? 1 : 0,
})

// As texts: a list of ingredients in another order is another label.
const byColumn = (facts: FiledFacts) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      partColumn('facts', name),
      Array.isArray(value) ? cellOf(value) || null : value,
    ]),
  )

/** The columns in which a row differs from the facts in a wine's item. */
export const factsChanges = (item: RecordItem | undefined, given: FiledFacts): FieldChange[] =>
  fieldChanges(byColumn(toFiledFacts(factsOf(item))), byColumn(given))

/** The facts in a wine's item as the part of a row; undefined if it states none. */
export const filedFacts = (item: RecordItem | undefined): FiledFacts | undefined => {
  const facts = toFiledFacts(factsOf(item))
  return factsChanges(undefined, facts).length > 0 ? facts : undefined
}

/** The given values of an object; null without any. */
const filledIn = (values: Readonly<Record<string, unknown>>) => {
  const said = Object.entries(values).filter(([, value]) => cellOf(value ?? null) !== '')
  return said.length > 0 ? Object.fromEntries(said) : null
}

const operatorIn = ({ operator: name, operator_role: role, operator_address: address }: FiledFacts) =>
  filledIn({ role, name, address })

/** The facts that a row changes, as a request would give them. Throws validation_failed. */
const givenFacts = (item: RecordItem | undefined, row: FiledFacts | undefined): GivenFacts | undefined => {
  const changed = new Set(row && factsChanges(item, row).map(({ name }) => name))
  if (changed.size === 0) return undefined
  const whole = { ...toFiledFacts(factsOf(item)), ...givenOnly(row ?? {}) }
  const isChanged = (...names: readonly string[]) => names.some(name => changed.has(partColumn('facts', name)))
  const given = {
    ...(isChanged('ingredients') && { ingredients: whole.ingredients }),
    ...(isChanged(...nutritionNames) && { nutrition: filledIn(pick(whole, nutritionNames)) }),
    ...(isChanged('packaging') && { packaging: whole.packaging }),
    ...(isChanged('operator', 'operator_role', 'operator_address') && { operator: operatorIn(whole) }),
    ...(isChanged('exempt') && { exempt: whole.exempt }),
    ...(isChanged('published') && { published: whole.published }),
  }
  return validate(v.object({ data: v.object({ facts: GivenFacts }) }), { data: { facts: given } }).data.facts
}

type RowChange = Pick<FactsChange, 'before' | 'after'> & { row: FiledFacts | undefined }

/** The wine after a row, and the actions that write its facts and its label. Throws as withFacts. */
export const factsOfRow = (
  items: FactItems,
  { before, after, row }: RowChange,
): { after: StoredWine; actions: Action[] } => {
  const item = before ? items.get(before.id) : undefined
  const change = { before, after, given: givenFacts(item, row) }
  return needsFacts(change) ? withFacts(merchantIdOf(after.customers_id), change, item) : { after, actions: [] }
}

const columnAt = (path: string): string => {
  const [, first = '', part = 'ingredients', inner] = path.split('.')
  if (first !== 'facts') return first
  if (part === 'nutrition') return partColumn('facts', inner ?? 'negligible')
  return partColumn('facts', part === 'operator' && inner && inner !== 'name' ? `operator_${inner}` : part)
}

/** Refuses a row whose facts are wrong, or that its label does not allow. */
export const checkFacts = (items: FactItems, change: RowChange, refuse: Refuse): void => {
  try {
    factsOfRow(items, change)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    for (const { path, rule, expected } of error.fields) refuse(columnAt(path), rule, expected)
  }
}
