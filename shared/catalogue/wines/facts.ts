import { type BadField, fieldsProblem, validationProblem } from '../../contract/errors.ts'
import { nutrientKeys } from '../../contract/labels/label-tables.ts'
import {
  type Facts,
  type GivenFacts,
  type Label,
  type LabelledWine,
  type Nutrition,
  noFacts,
  type ShownNutrition,
} from '../../contract/records/facts.ts'
import { checkSize } from '../../contract/records/size.ts'
import type { Wine } from '../../contract/records/wine.ts'
import { givenOnly, pick } from '../../contract/schema/fields.ts'
import { absent, equals } from '../../platform/table/expressions.ts'
import type { RecordItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { type Action, check, put } from '../../platform/table/transact.ts'
import { type Energy, energyOf } from '../../values/energy.ts'
import type { StoredWine } from './stored.ts'

/** The facts of a wine as they are stored; times of its label as `2026-01-31 12:00:00`, UTC. */
export type StoredFacts = Facts & { published: string | null; withdrawn: string | null }

const blank: StoredFacts = { ...noFacts, published: null, withdrawn: null }

/** The facts in a wine's item; no facts without an item. */
export const factsOf = (item: Pick<RecordItem, 'doc'> | undefined): StoredFacts =>
  item ? { ...blank, ...JSON.parse(item.doc) } : blank

/** The key of a wine's facts. */
export const factsKey = (merchant: MerchantId, id: number) => key('facts', { merchant, id })

// A wine may show before the facts that its last change wrote.
const asRead = (item: RecordItem | undefined) => [item ? equals('version', item.version) : absent]

/** The check of a write that a wine's facts are still those that were read. */
export const factsUnchanged = (merchant: MerchantId, id: number, item: RecordItem | undefined): Action =>
  check(`facts ${id}`, factsKey(merchant, id), asRead(item))

type Analysed = Pick<Wine, 'alcohol' | 'sweetness' | 'acid'>

const tenths = (text: string | null | undefined): number | undefined =>
  text ? Math.round(Number(text) * 10) : undefined

// Both return hundredths of a gram per 100 ml.
const ofGramsPer100ml = (text: string | null | undefined): number | undefined => {
  const value = tenths(text)
  return value === undefined ? undefined : value * 10
}
const ofGramsPerLitre = tenths

const shownGrams = (hundredths: number | undefined): string | null =>
  hundredths === undefined ? null : (Math.round(hundredths / 10) / 10).toFixed(1)

/** The sugars and carbohydrate of a wine, in hundredths of a gram per 100 ml; undefined where they are unknown. */
const carbohydratesOf = ({ sweetness }: Analysed, { sugars, carbohydrate, glycerol }: Nutrition) => {
  const sugar = ofGramsPer100ml(sugars) ?? ofGramsPerLitre(sweetness)
  const polyols = ofGramsPerLitre(glycerol)
  const sum = sugar === undefined || polyols === undefined ? undefined : sugar + polyols
  return { sugars: sugar, carbohydrate: ofGramsPer100ml(carbohydrate) ?? sum }
}

/** The energy of a wine by its analysis; undefined if alcohol, acid, sugars or carbohydrate are unknown. */
export const computedEnergy = (wine: Analysed, nutrition: Nutrition): Energy | undefined => {
  const { sugars, carbohydrate } = carbohydratesOf(wine, nutrition)
  const [alcohol, acids] = [tenths(wine.alcohol), ofGramsPerLitre(wine.acid)]
  if (alcohol === undefined || acids === undefined || sugars === undefined || carbohydrate === undefined)
    return undefined
  const [fat = 0, protein = 0] = [ofGramsPer100ml(nutrition.fat), ofGramsPer100ml(nutrition.protein)]
  return energyOf({ alcohol, sugars, polyols: Math.max(0, carbohydrate - sugars), acids, fat, protein })
}

/** The nutrition declaration of a wine as labels show it: given values, else computed values, else null. */
export const shownNutrition = (wine: Analysed, nutrition: Nutrition): ShownNutrition => {
  const { kj, kcal, fat = null, saturates = null, protein = null, salt = null, negligible = [] } = nutrition
  const { sugars, carbohydrate } = carbohydratesOf(wine, nutrition)
  const computed = computedEnergy(wine, nutrition)
  const isGiven = kj !== undefined && kj !== null
  return {
    kj: isGiven ? kj : (computed?.kj ?? null),
    kcal: isGiven ? (kcal ?? null) : (computed?.kcal ?? null),
    computed: !isGiven && computed ? 1 : 0,
    fat,
    saturates,
    carbohydrate: shownGrams(carbohydrate),
    sugars: shownGrams(sugars),
    protein,
    salt,
    negligible,
  }
}

// A given energy may differ by this share from the computed energy.
const tolerance = 0.2

const isNear = (given: number, computed: number): boolean => Math.abs(given - computed) <= computed * tolerance

/** Throws validation_failed if a given energy is far from the computed energy. */
const checkEnergy = (wine: Analysed, { nutrition }: Facts): void => {
  const computed = nutrition ? computedEnergy(wine, nutrition) : undefined
  if (!computed) return
  const fields = (['kj', 'kcal'] as const).flatMap((unit): BadField[] => {
    const given = nutrition?.[unit] ?? null
    if (given === null || isNear(given, computed[unit])) return []
    const expected = `within 20 % of ${computed[unit]}, the value computed from alcohol, sugars, glycerol and acid`
    return [{ path: `data.facts.nutrition.${unit}`, rule: 'energy', expected }]
  })
  if (fields.length > 0) throw validationProblem(fields)
}

// Grams in 100 ml up to which an amount counts as none: Commission guidance on tolerances of nutrient values, section 6.
const negligibleUpTo = { fat: 0.5, saturates: 0.1, carbohydrate: 0.5, sugars: 0.5, protein: 0.5, salt: 0.0125 } as const

/** Throws validation_failed if a label contradicts itself: of negligible amounts that are none, or a part above its whole. */
const checkAmounts = (wine: Analysed, { nutrition }: Facts): void => {
  if (!nutrition) return
  const shown = shownNutrition(wine, nutrition)
  const most = (name: keyof typeof negligibleUpTo): number =>
    Number(shown[name] ?? (shown.negligible.includes(name) ? negligibleUpTo[name] : Number.POSITIVE_INFINITY))
  const bad = (field: string, rule: string, expected: string): BadField[] => [
    { path: `data.facts.nutrition.${field}`, rule, expected },
  ]
  const fields = [
    ...shown.negligible
      .filter(name => most(name) > negligibleUpTo[name])
      .flatMap(name => bad('negligible', 'negligible', `without ${name}, of which 100 ml have ${shown[name]} g`)),
    ...(
      [
        ['fat', 'saturates'],
        ['carbohydrate', 'sugars'],
      ] as const
    )
      .filter(([whole, part]) => Number(shown[part] ?? 0) > most(whole))
      .flatMap(([whole, part]) => bad(whole, 'parts', `at least ${shown[part]}, the ${part}`)),
  ]
  if (fields.length > 0) throw validationProblem(fields)
}

/** The parts of a wine's facts that its label lacks, each with the field that gives it. */
export const missingOnLabel = (wine: Analysed, { ingredients, nutrition, operator }: Facts): BadField[] => {
  const missingField = (path: string, expected = 'filled in'): BadField => ({
    path: `data.${path}`,
    rule: 'required',
    expected,
  })
  const shown = nutrition && shownNutrition(wine, nutrition)
  const unsaid = shown ? nutrientKeys.filter(name => shown[name] === null && !shown.negligible.includes(name)) : []
  return [
    ...(wine.alcohol === null ? [missingField('alcohol')] : []),
    ...(ingredients.length === 0 ? [missingField('facts.ingredients')] : []),
    ...(nutrition ? [] : [missingField('facts.nutrition')]),
    ...(shown?.kj === null
      ? [missingField('facts.nutrition.kj', 'given, or computable from alcohol, sugars, glycerol and acid')]
      : []),
    ...unsaid.map(name => missingField(`facts.nutrition.${name}`, 'given, or named in `negligible`')),
    ...(operator ? [] : [missingField('facts.operator')]),
  ]
}

const labelFields = [
  ...(['hash', 'name', 'vintage', 'type', 'countrycode', 'region', 'alcohol', 'bottlesize', 'language'] as const),
] satisfies (keyof LabelledWine)[]

/** The fields of a wine that change its energy. */
const analysis = ['alcohol', 'sweetness', 'acid'] as const

/** The fields of a wine that change its label. */
const shownFields = [...labelFields, ...analysis] as const

/** The label of a wine that was published. */
const labelOf = (wine: Wine, { published, withdrawn, nutrition, exempt, ...facts }: StoredFacts): Label => ({
  ...pick(wine, labelFields),
  wine_id: wine.id,
  ...facts,
  nutrition: shownNutrition(wine, nutrition ?? {}),
  published: published ?? '',
  withdrawn,
})

const mergeFacts = (stored: StoredFacts, { published, ...given }: GivenFacts, now: string): StoredFacts => {
  const facts = { ...stored, ...givenOnly(given) }
  if (published === 1) return { ...facts, published: stored.published ?? now, withdrawn: null }
  return published === 0 && stored.published ? { ...facts, withdrawn: stored.withdrawn ?? now } : facts
}

const isShown = ({ published, withdrawn }: StoredFacts): boolean => published !== null && withdrawn === null

/** Throws 409 label_published if a change makes the printed codes of a wine lead to the label of another wine. */
const checkUnchanged = (before: StoredWine, after: StoredWine): void => {
  const fields = (['vintage', 'alcohol'] as const)
    .filter(name => before[name] !== after[name])
    .map(name => ({ path: `data.${name}`, rule: 'label_published', expected: `as the label says: ${before[name]}` }))
  if (fields.length > 0) throw fieldsProblem('label_published', fields)
}

const checkFacts = (wine: StoredWine, facts: StoredFacts): void => {
  checkEnergy(wine, facts)
  checkAmounts(wine, facts)
  if (facts.exempt === 1 && isShown(facts)) {
    throw validationProblem([{ path: 'data.facts.exempt', rule: 'label', expected: '0 for a wine with a label' }])
  }
  const missing = isShown(facts) ? missingOnLabel(wine, facts) : []
  if (missing.length > 0) throw fieldsProblem('label_incomplete', missing)
}

/** A wine before (null: it is new) and after a change, and the facts that the change gives. */
export type FactsChange = { before: StoredWine | null; after: StoredWine; given: GivenFacts | undefined }

/** True if a change needs the wine's stored facts: it gives some, changes the label, or might contradict them. */
export const needsFacts = ({ before, after, given }: FactsChange): boolean =>
  given !== undefined ||
  (before !== null && (before.label ? shownFields : analysis).some(name => before[name] !== after[name]))

/**
 * The wine after a change, and the actions that write its facts and its label in the wine's transaction. Throws
 * validation_failed, label_incomplete and label_published.
 */
export const withFacts = (
  merchant: MerchantId,
  { before, after, given }: FactsChange,
  item: RecordItem | undefined,
): { after: StoredWine; actions: Action[] } => {
  if (before?.label) checkUnchanged(before, after)
  const stored = factsOf(item)
  const facts = mergeFacts(stored, given ?? {}, after.chstamp)
  checkFacts(after, facts)
  checkSize(facts, { facts: given }, stored)
  const { id, hash, customers_id } = after
  const version = (item?.version ?? 0) + 1
  const doc = JSON.stringify(facts)
  const actions: Action[] = [
    given
      ? put(`facts ${id}`, factsKey(merchant, id), { doc, version }, { when: asRead(item) })
      : factsUnchanged(merchant, id, item),
  ]
  if (facts.published === null) return { after, actions }
  const label = put(`label ${id}`, key('label', { hash }), { customers_id, doc: JSON.stringify(labelOf(after, facts)) })
  return { after: { ...after, label: isShown(facts) ? 'published' : 'withdrawn' }, actions: [...actions, label] }
}

/** As withFacts, with a read of the stored facts where the change needs them. */
export const factsWrite = async (merchant: MerchantId, change: FactsChange) => {
  if (!needsFacts(change)) return { after: change.after, actions: [] }
  const item = change.before ? await getItem(factsKey(merchant, change.before.id)) : undefined
  return withFacts(merchant, change, item)
}
