import { nextVintage } from '../../../shared/catalogue/wines/roll-over.ts'
import { isDrawn, newWine, type StoredWine, wireWine } from '../../../shared/catalogue/wines/stored.ts'
import type { Rule } from '../../../shared/contract/errors.ts'
import { isQualityOf, isRegionOf, qualities, regionsAsText } from '../../../shared/contract/labels/labels.ts'
import { findOversized } from '../../../shared/contract/records/size.ts'
import { wineFields } from '../../../shared/contract/records/wine.ts'
import { completeWinery, type FiledWinery, type Winery, wineryFields } from '../../../shared/contract/records/winery.ts'
import { givenOnly, namesWith, pick, storedColumns } from '../../../shared/contract/schema/fields.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import { drawnWord } from '../../../shared/values/picture-name.ts'
import { slug } from '../../../shared/values/slug.ts'
import { partColumn } from './columns.ts'
import { checkFacts, factsChanges, filedFacts, filedWineFields } from './facts.ts'
import { filedPrice, grossOnly, longestIdsOf, namedColumns } from './goods.ts'
import { segmentOnce } from './new-records.ts'
import { type FieldChange, fieldChanges, namedAlone, type Planning, planRows, type Refuse } from './plan.ts'
import { formatOf, type Report } from './rows.ts'
import { importRecords, type Kind, type Progress } from './run.ts'
import { type Catalogue, readCatalogue, type WineRow } from './wine-catalogue.ts'
import { checkNamed, translationCheck, type WineKeys, wineKeys } from './wine-keys.ts'
import { withRow, writeWineRows } from './wine-writes.ts'

const qualitiesOf = (countrycode: string): string => qualities.get(countrycode)?.join(', ') ?? 'any text'

const checkRow = (row: Partial<WineRow>, report: Report): void => {
  checkNamed(row, report)
  const { countrycode, region, quality } = row
  if (countrycode === undefined) return
  if (region !== undefined && !isRegionOf(countrycode, region)) {
    report('region', { rule: 'region_of_country', expected: regionsAsText(countrycode) })
  }
  if (typeof quality === 'string' && !isQualityOf(countrycode, quality)) {
    report('quality', { rule: 'quality_of_country', expected: qualitiesOf(countrycode) })
  }
}

const naming = new Set<string>(['id', 'origin_id'])
const own = storedColumns(wineFields).filter(name => !naming.has(name))
const wineryColumns = storedColumns(wineryFields)

const rowsOf = (catalogue: Pick<Catalogue, 'categories' | 'stocks' | 'facts'>, { namesOf }: WineKeys) => {
  const columnsOf = namedColumns(catalogue)
  return (wine: StoredWine): WineRow => ({
    ...pick(wine, own),
    ...filedPrice(wine),
    ...namesOf(wine),
    // The path of a drawn picture belongs to one wine of one merchant.
    image: isDrawn(wine.image) ? drawnWord : wine.image,
    winery: wine.winery ? pick(wine.winery, wineryColumns) : undefined,
    ...columnsOf(wine),
    facts: filedFacts(catalogue.facts.get(wine.id)),
  })
}

const byColumn = (winery: FiledWinery) =>
  Object.fromEntries(Object.entries(winery).map(([key, value]) => [partColumn('winery', key), value]))

/** The changes of a wine's winery: its name, and its details compared with those of the winery that the row names. */
const wineryChanges = (wanted: FiledWinery, present: Winery | null, known?: Winery): FieldChange[] => {
  const details = present?.name === wanted.name ? present : known
  return fieldChanges({ ...(details && byColumn(details)), winery: present?.name ?? null }, byColumn(wanted))
}

/** Refuses a row that contradicts an earlier row about a winery. */
const wineryCheck = () => {
  const seen = new Map<string, { winery: FiledWinery; line: number }>()
  return ({ winery }: WineRow, line: number, refuse: Refuse) => {
    if (!winery) return
    const first = seen.get(winery.name) ?? { winery, line }
    seen.set(winery.name, first)
    for (const key of wineryColumns) {
      const [earlier, later] = [first.winery[key], winery[key]]
      const differs = earlier !== undefined && later !== undefined && earlier !== later
      if (differs) refuse(partColumn('winery', key), 'winery_conflict', `the same as on line ${first.line}`)
    }
  }
}

const identity = { id: Number.MAX_SAFE_INTEGER, customers_id: Number.MAX_SAFE_INTEGER }
const now = '2026-01-01 00:00:00'

/** The largest wine that a row can make, with the details that its winery will have. */
const wineAfter = (row: WineRow, wine: StoredWine | undefined, known: Winery | undefined): StoredWine => {
  // Net and tax may be those of before.
  const whole = grossOnly(row)
  const winery = row.winery && completeWinery({ ...identity, crstamp: now, chstamp: now, ...known, ...row.winery })
  const blank = wine ?? newWine({ ...identity, cruser_id: 0, now, path_segment: slug(row.name) }, whole)
  const wineries = new Map(winery ? [[winery.name, winery]] : [])
  return withRow(blank, whole, { ...longestIdsOf(row), wineries })
}

/** Refuses a row whose winery, which each of its wines embeds, makes one of them too large. */
const embeddingCheck = (existing: readonly StoredWine[], known: ReadonlyMap<string, Winery>) => {
  const brokenBy = (filed: FiledWinery): Rule[] => {
    const present = known.get(filed.name)
    if (!present) return []
    const winery = completeWinery({ ...present, ...givenOnly(filed) })
    const wines = existing.filter(wine => wine.winery?.name === filed.name).map(wireWine)
    return wines.flatMap(wine => findOversized({ ...wine, winery }, {}, wine) ?? []).slice(0, 1)
  }
  // Many rows give the same details of one winery.
  const seen = new Map<string, Rule[]>()
  return ({ winery }: WineRow, refuse: Refuse) => {
    if (!winery) return
    const text = JSON.stringify(winery)
    const broken = seen.get(text) ?? brokenBy(winery)
    seen.set(text, broken)
    for (const { rule, expected } of broken) refuse('winery', rule, expected)
  }
}

const isNextVintage = (row: WineRow, { vintage }: StoredWine): boolean =>
  typeof row.vintage === 'number' && vintage !== null && row.vintage > vintage

const canRollOver = ({ articlenumber, origin_id }: StoredWine): boolean => articlenumber !== null && origin_id === null

/** Makes next vintages of the wines whose row is of a later vintage. */
const rollingOver = {
  nextOf: (wine: StoredWine, row: WineRow): StoredWine | undefined =>
    canRollOver(wine) && isNextVintage(row, wine) ? nextVintage(wine, { ...identity, cruser_id: 0, now }) : undefined,
}

/** Refuses a later vintage of a wine that has its next vintage already, or of which a file makes none. */
const successorCheck = (existing: readonly StoredWine[], { keyOf }: WineKeys) => {
  const wines = new Map(existing.map(wine => [keyOf(wine), wine]))
  return (row: WineRow, refuse: Refuse) => {
    const wine = wines.get(keyOf(row))
    if (!wine || !isNextVintage(row, wine)) return
    if (wine.successor_id !== null) refuse('vintage', 'already_rolled_over', 'that of the wine, which has a next one')
    else if (!canRollOver(wine))
      refuse('vintage', 'roll_over', 'that of the wine, which is a translation or has no article number')
  }
}

const planningOf = (
  catalogue: Catalogue,
  rows: readonly WineRow[],
  rollOver: boolean,
): Planning<WineRow, StoredWine> => {
  const { wines: existing } = catalogue
  const keys = wineKeys(existing)
  const checkSuccessor = rollOver ? successorCheck(existing, keys) : () => {}
  const checkSegment = segmentOnce<WineRow, StoredWine>(existing, keys.keyOf, 'that of no other wine')
  const checkTranslation = translationCheck(existing, rows, keys)
  const known = new Map(existing.flatMap(({ winery }) => (winery ? [[winery.name, winery] as const] : [])))
  const after = (whole: WineRow, wine: StoredWine | undefined) =>
    wineAfter(whole, wine, known.get(whole.winery?.name ?? ''))
  const checkWinery = wineryCheck()
  const checkEmbedding = embeddingCheck(existing, known)
  return {
    column: 'articlenumber',
    keyOf: keys.keyOf,
    single: 'the number of a single wine of the catalogue',
    ...(rollOver && rollingOver),
    rowOf: rowsOf(catalogue, keys),
    changes: (wine, before, { winery, categories, prices, stock, facts, original, origin_id, ...given }) => [
      ...fieldChanges(before, { ...given, categories, prices, stock }),
      ...(winery ? wineryChanges(winery, wine.winery, known.get(winery.name)) : []),
      ...(facts ? factsChanges(catalogue.facts.get(wine.id), facts) : []),
    ],
    check: (whole, refuse, { row, line, record: wine, before }) => {
      const { countrycode, quality } = whole
      const isMoved = before && before.countrycode !== countrycode && row.quality === undefined
      if (isMoved && typeof quality === 'string' && !isQualityOf(countrycode, quality)) {
        refuse('quality', 'quality_of_country', qualitiesOf(countrycode))
      }
      const isOtherLanguage = before && row.language !== undefined && row.language !== before.language
      if (isOtherLanguage && wine?.translations.some(({ language }) => language === row.language)) {
        refuse('language', 'translation', 'another language than that of a translation')
      }
      checkTranslation(row, wine === undefined, refuse)
      checkSegment(row, refuse)
      checkSuccessor(row, refuse)
      checkWinery(row, line, refuse)
      checkEmbedding(row, refuse)
      if (!row.facts && !wine?.label) return
      checkFacts(catalogue.facts, { before: wine ?? null, after: after(whole, wine), row: row.facts }, refuse)
    },
    recordOf: (whole, wine) => wireWine(after(whole, wine)),
  }
}

/** Wines in files; with `rollOver` a row of a later vintage makes the next vintage of its wine. */
const kindOf = (rollOver: boolean): Kind<WineRow, StoredWine, Catalogue> => ({
  name: 'wines',
  keyed: 'the article number identifies the wine of a row, the id one without an article number',
  format: formatOf(filedWineFields, namesWith(wineFields, { required: true }), { check: checkRow }),
  titleOf: ({ articlenumber, name }) => [articlenumber, name].filter(Boolean).join(' '),
  read: readCatalogue,
  plan: (catalogue, rows, lines) => planRows(catalogue.wines, rows, planningOf(catalogue, rows, rollOver), lines),
  writes: (merchant, { state, plan }) => writeWineRows(merchant, state, plan),
  exportRows: catalogue => {
    const { wines: all } = catalogue
    const keys = wineKeys(all)
    const named = namedAlone(all, keys.keyOf)
    const originals = new Set(named.map(({ id }) => id))
    const whole = named.filter(({ origin_id }) => origin_id === null || originals.has(origin_id))
    return { rows: whole.map(rowsOf(catalogue, keys)).map(grossOnly), leftOut: all.length - whole.length }
  },
})

export const wines = kindOf(false)
export const winesRolledOver = kindOf(true)

/** Imports rows of wines. */
export const importWines = (merchant: MerchantId, rows: readonly WineRow[], progress?: Progress): Promise<void> =>
  importRecords(merchant, wines, rows, { progress })
