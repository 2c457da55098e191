import { type FieldChange, isSame, onceOnly, type Refuse, shownPrices } from '../imports/plan.ts'
import { rangePricesOf } from '../imports/prices.ts'
import { fields, wineryFields } from './import-fields.ts'
import type { ImportPrice, ImportRow, ImportWinery, RequiredField, RowProblem, WineryField } from './import-row.ts'
import type { Wine, Winery } from './record.ts'
import { isQualityOf, qualities } from './values.ts'

export type { FieldChange, Shown } from '../imports/plan.ts'
export { columnsOf, csvColumns, toCsvRecord } from './import-csv.ts'
export { collected, type Parsed, parseJsonRow, parseRow } from './import-parse.ts'

/** What a wine record does not hold itself: the names of its categories by id, and the stocks by wine id. */
export type Lookups = {
  categories?: ReadonlyMap<number, string>
  stocks?: ReadonlyMap<number, number | null>
}

/** An existing wine that a row would change; the winery's fields are called `winery` (its name), `winery_www` and so on. */
export type WineChange = { wine: Wine; fields: FieldChange[]; row: ImportRow }

/** What an import would do; refused rows are in none of the other parts. */
export type ImportPlan = {
  additions: ImportRow[]
  changes: WineChange[]
  unchanged: number
  refusals: RowProblem[]
}

const wineKeys = Object.keys(fields).filter(
  key => !['articlenumber', 'categories', 'prices', 'stock'].includes(key),
) as Exclude<keyof ImportRow & keyof Wine, 'winery' | 'prices'>[]

const wineryKeys = Object.keys(wineryFields).filter(key => key !== 'name') as WineryField[]

const categoriesOf = (wine: Wine, { categories }: Lookups): string[] =>
  wine.categoryIds.map(id => categories?.get(id)).filter(name => name !== undefined)

const pricesOf = (wine: Wine): ImportPrice[] => rangePricesOf(wine.prices)

const wineryChanges = (wanted: ImportWinery, winery: Winery | null, known: Winery | undefined): FieldChange[] => {
  const isStaying = winery?.name === wanted.name
  const present = isStaying ? winery : known
  const name = { name: 'winery', from: winery?.name ?? null, to: wanted.name }
  const details = wineryKeys
    .filter(key => wanted[key] !== undefined)
    .map(key => ({ name: `winery_${key}`, from: present?.[key] ?? null, to: wanted[key] ?? null }))
  return [name, ...details].filter(({ from, to }) => !isSame(from, to))
}

const changesOf = (wine: Wine, row: ImportRow, known: ReadonlyMap<string, Winery>, around: Lookups): FieldChange[] => {
  const given = wineKeys.filter(key => row[key] !== undefined)
  const changes: FieldChange[] = given.map(key => ({ name: key, from: wine[key], to: row[key] ?? null }))
  if (row.categories) changes.push({ name: 'categories', from: categoriesOf(wine, around), to: row.categories })
  if (row.prices) changes.push({ name: 'prices', from: shownPrices(pricesOf(wine)), to: shownPrices(row.prices) })
  if (row.stock !== undefined) {
    changes.push({ name: 'stock', from: around.stocks?.get(wine.id) ?? null, to: row.stock })
  }
  const ofWinery = row.winery ? wineryChanges(row.winery, wine.winery, known.get(row.winery.name)) : []
  return [...changes.filter(({ from, to }) => !isSame(from, to)), ...ofWinery]
}

// A translation shares its original's article number, so only originals answer to one.
const originals = (wines: readonly Wine[]) =>
  wines.filter(wine => wine.origin_id === null && wine.articlenumber !== null)

const leavesStaleQuality = (wine: Wine, row: ImportRow): boolean =>
  row.countrycode !== wine.countrycode &&
  row.quality === undefined &&
  wine.quality !== null &&
  !isQualityOf(row.countrycode, wine.quality)

/** Refuses a row that says something else about a winery than an earlier one, for then the last one would win. */
const wineryCheck = () => {
  const seen = new Map<string, { winery: ImportWinery; line: number }>()
  return ({ winery }: ImportRow, line: number, refuse: Refuse) => {
    if (!winery) return
    const first = seen.get(winery.name) ?? { winery, line }
    seen.set(winery.name, first)
    for (const key of wineryKeys) {
      const [earlier, later] = [first.winery[key], winery[key]]
      const differs = earlier !== undefined && later !== undefined && earlier !== later
      if (differs) refuse(`winery_${key}`, 'winery_conflict', `the same as on line ${first.line}`)
    }
  }
}

/**
 * What importing the rows would do to the existing wines of one merchant, keyed by article number. `lines` are the
 * rows' lines for the refusals, by default 1, 2, 3 …; without `categories` and `stocks` the wines count as having none.
 */
export const planImport = (
  existing: readonly Wine[],
  rows: readonly ImportRow[],
  { lines, ...around }: Lookups & { lines?: readonly number[] } = {},
): ImportPlan => {
  const byNumber = Map.groupBy(originals(existing), wine => wine.articlenumber)
  const known = new Map(existing.flatMap(({ winery }) => (winery ? [[winery.name, winery] as const] : [])))
  const checkNumber = onceOnly('articlenumber')
  const checkWinery = wineryCheck()
  const plan: ImportPlan = { additions: [], changes: [], unchanged: 0, refusals: [] }

  for (const [index, row] of rows.entries()) {
    const line = lines?.[index] ?? index + 1
    const refusalsBefore = plan.refusals.length
    const refuse: Refuse = (column, rule, expected) => plan.refusals.push({ line, column, rule, expected })
    const [wine, ...others] = byNumber.get(row.articlenumber) ?? []
    const changed = wine ? changesOf(wine, row, known, around) : []
    const isUnchanged = wine !== undefined && changed.length === 0

    checkNumber(row.articlenumber, line, refuse)
    if (others.length > 0) refuse('articlenumber', 'ambiguous', 'the number of a single wine of the catalogue')
    if (wine && leavesStaleQuality(wine, row)) {
      refuse('quality', 'quality_of_country', qualities.get(row.countrycode)?.join(', ') ?? 'any text')
    }
    // Two wineries of one name may well stand in a catalogue; only a row that writes has to tell them apart.
    if (!isUnchanged) checkWinery(row, line, refuse)
    if (plan.refusals.length > refusalsBefore) continue

    if (!wine) plan.additions.push(row)
    else if (isUnchanged) plan.unchanged += 1
    else plan.changes.push({ wine, fields: changed, row })
  }
  return plan
}

const exportedWinery = (winery: Winery): ImportWinery => ({
  name: winery.name,
  ...Object.fromEntries(wineryKeys.map(key => [key, winery[key]])),
})

// Gross and tax rate say it all; net and tax follow.
const exportedKeys = wineKeys.filter(key => key !== 'net' && key !== 'tax')

const exportRow = (wine: Wine, around: Lookups): ImportRow => {
  const values = Object.fromEntries(exportedKeys.map(key => [key, wine[key]])) as Pick<Wine, RequiredField>
  return {
    ...values,
    articlenumber: wine.articlenumber ?? '',
    ...(wine.winery && { winery: exportedWinery(wine.winery) }),
    ...(around.categories && { categories: categoriesOf(wine, around) }),
    prices: pricesOf(wine),
    ...(around.stocks && { stock: around.stocks.get(wine.id) ?? null }),
  }
}

/**
 * The wines as import rows, such that planImport over the same wines and surroundings finds nothing to do. Categories
 * and stock are left out where the surroundings do not tell them; wines without an article number and translations
 * cannot be named in an import and are left out.
 */
export const exportRows = (wines: readonly Wine[], around: Lookups = {}): ImportRow[] =>
  originals(wines).map(wine => exportRow(wine, around))
