import { isDrawn, newWine, type StoredWine, wireWine } from '../../../shared/catalogue/wines/stored.ts'
import type { Rule } from '../../../shared/contract/errors.ts'
import { isQualityOf, isRegionOf, qualities, regionsInWords } from '../../../shared/contract/labels.ts'
import { givenOnly, namesWith, pick, storedColumns } from '../../../shared/contract/records/fields.ts'
import { oversized } from '../../../shared/contract/records/size.ts'
import { type Wine, wineFields } from '../../../shared/contract/records/wine.ts'
import { completeWinery, type FiledWinery, type Winery, wineryFields } from '../../../shared/contract/records/winery.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import { drawnWord } from '../../../shared/values/picture-name.ts'
import { slug } from '../../../shared/values/slug.ts'
import { partColumn } from './columns.ts'
import { type FieldChange, fieldChanges, type Plan, type Planning, planRows, type Refuse } from './plan.ts'
import { longestIds } from './price-ranges.ts'
import { filedPrices } from './prices.ts'
import { formatOf, type Report } from './rows.ts'
import { importRecords, type Kind, type Progress } from './run.ts'
import type { Stocks } from './stocks.ts'
import { type Catalogue, readCatalogue, type WineRow, withRow, writeWineRows } from './wine-writes.ts'

/** An original that has an article number: what a row can name. A translation shares the number of its original. */
type NumberedWine = StoredWine & { articlenumber: string }

const isNumbered = (wine: StoredWine): wine is NumberedWine => wine.articlenumber !== null && wine.origin_id === null

const qualitiesOf = (countrycode: string): string => qualities.get(countrycode)?.join(', ') ?? 'any text'

const checkPlaces = ({ countrycode, region, quality }: Partial<WineRow>, report: Report): void => {
  if (countrycode === undefined) return
  if (region !== undefined && !isRegionOf(countrycode, region)) {
    report('region', { rule: 'region_of_country', expected: regionsInWords(countrycode) })
  }
  if (typeof quality === 'string' && !isQualityOf(countrycode, quality)) {
    report('quality', { rule: 'quality_of_country', expected: qualitiesOf(countrycode) })
  }
}

const needed: (keyof WineRow)[] = ['articlenumber', ...namesWith(wineFields, { required: true })]
const own = storedColumns(wineFields)
const wineryColumns = storedColumns(wineryFields)

/** What stands beside the wines' records: the names of their categories by id, and their stocks. */
type Beside = { categories: ReadonlyMap<number, string>; stocks: Stocks }

const rowOf = (wine: NumberedWine, { categories, stocks }: Beside): WineRow => ({
  ...pick(wine, own),
  articlenumber: wine.articlenumber,
  // Its path belongs to one wine of one merchant.
  image: isDrawn(wine.image) ? drawnWord : wine.image,
  categories: wine.categoryIds.flatMap(id => categories.get(id) ?? []),
  prices: filedPrices(wine.prices),
  stock: stocks.get(wine.id) ?? null,
  winery: wine.winery ? pick(wine.winery, wineryColumns) : undefined,
})

const byColumn = (winery: FiledWinery) =>
  Object.fromEntries(Object.entries(winery).map(([key, value]) => [partColumn('winery', key), value]))

/** What a row changes of a wine's winery: its name, and the details of the winery that it then is. */
const wineryChanges = (wanted: FiledWinery, present: Winery | null, known?: Winery): FieldChange[] => {
  const details = present?.name === wanted.name ? present : known
  return fieldChanges({ ...(details && byColumn(details)), winery: present?.name ?? null }, byColumn(wanted))
}

/** Refuses a row that says something else about a winery than an earlier one, because then the last one would win. */
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

const identity = {
  ...{ id: Number.MAX_SAFE_INTEGER, customers_id: Number.MAX_SAFE_INTEGER, cruser_id: 0 },
  now: '2026-01-01 00:00:00',
}

// Gross and tax rate say it all; net and tax would be those of before.
/** The wine that a row makes, with the details that its winery will have. */
const recordOf = ({ net, tax, ...whole }: WineRow, wine: StoredWine | undefined, known: Winery | undefined): Wine => {
  const { now, ...ids } = identity
  const winery = whole.winery && completeWinery({ ...ids, crstamp: now, chstamp: now, ...known, ...whole.winery })
  const blank = wine ?? newWine({ ...identity, path_segment: slug(whole.name) }, whole)
  return wireWine(
    withRow(blank, whole, {
      wineries: new Map(winery ? [[winery.name, winery]] : []),
      categories: longestIds(whole.categories ?? []),
      priceRanges: longestIds((whole.prices ?? []).map(({ priceRange }) => priceRange)),
    }),
  )
}

/** Refuses a row whose winery, which stands inside each of its wines, makes one of them too large. */
const embeddingCheck = (existing: readonly StoredWine[], known: ReadonlyMap<string, Winery>) => {
  const brokenBy = (wanted: FiledWinery): Rule[] => {
    const present = known.get(wanted.name)
    if (!present) return []
    const winery = completeWinery({ ...present, ...givenOnly(wanted) })
    const wines = existing.filter(wine => wine.winery?.name === wanted.name).map(wireWine)
    return wines.flatMap(wine => oversized({ ...wine, winery }, {}, wine) ?? []).slice(0, 1)
  }
  // Many rows say the same of one winery.
  const seen = new Map<string, Rule[]>()
  return ({ winery }: WineRow, refuse: Refuse) => {
    if (!winery) return
    const text = JSON.stringify(winery)
    const broken = seen.get(text) ?? brokenBy(winery)
    seen.set(text, broken)
    for (const { rule, expected } of broken) refuse('winery', rule, expected)
  }
}

const planningOf = (existing: readonly StoredWine[], beside: Beside): Planning<WineRow, NumberedWine> => {
  const known = new Map(existing.flatMap(({ winery }) => (winery ? [[winery.name, winery] as const] : [])))
  const translated = new Map(
    existing.filter(isNumbered).map(({ articlenumber, translations }) => [articlenumber, translations] as const),
  )
  const checkWinery = wineryCheck()
  const checkEmbedding = embeddingCheck(existing, known)
  return {
    column: 'articlenumber',
    single: 'the number of a single wine of the catalogue',
    rowOf: wine => rowOf(wine, beside),
    changes: (wine, before, { winery, categories, prices, stock, ...given }) => [
      ...fieldChanges(before, { ...given, categories, prices, stock }),
      ...(winery ? wineryChanges(winery, wine.winery, known.get(winery.name)) : []),
    ],
    check: ({ countrycode, quality }, refuse, { row, line, before }) => {
      const isMoved = before && before.countrycode !== countrycode && row.quality === undefined
      if (isMoved && typeof quality === 'string' && !isQualityOf(countrycode, quality)) {
        refuse('quality', 'quality_of_country', qualitiesOf(countrycode))
      }
      const isRetold = before && row.language !== undefined && row.language !== before.language
      if (isRetold && translated.get(row.articlenumber)?.some(({ language }) => language === row.language)) {
        refuse('language', 'translation', 'another language than that of a translation')
      }
      checkWinery(row, line, refuse)
      checkEmbedding(row, refuse)
    },
    recordOf: (whole, wine) => recordOf(whole, wine, known.get(whole.winery?.name ?? '')),
  }
}

const besideOf = ({ categories, stocks }: Pick<Catalogue, 'categories' | 'stocks'>): Beside => ({
  categories: new Map(categories.map(({ id, name }) => [id, name])),
  stocks,
})

/** What a plan of wines compares rows with; the rest of a catalogue is for carrying it out. */
type Compared = Pick<Catalogue, 'wines' | 'categories' | 'stocks'>

/** What importing rows would do to a merchant's wines. */
export const planWines = (
  catalogue: Compared,
  rows: readonly WineRow[],
  lines?: readonly number[],
): Plan<WineRow, NumberedWine> =>
  planRows(catalogue.wines.filter(isNumbered), rows, planningOf(catalogue.wines, besideOf(catalogue)), lines)

/** The wines that rows can name as rows, such that planWines finds nothing to do. */
export const exportWines = (catalogue: Compared): WineRow[] => {
  const beside = besideOf(catalogue)
  // Gross and tax rate say it all; net and tax follow.
  return catalogue.wines.filter(isNumbered).map(wine => {
    const { net, tax, ...row } = rowOf(wine, beside)
    return row
  })
}

/** Wines as files bring them. */
export const wines: Kind<WineRow, NumberedWine, Catalogue> = {
  name: 'wines',
  keyed: 'the article number tells which wine a row is',
  isWholeList: false,
  format: formatOf(wineFields, needed, { check: checkPlaces }),
  titleOf: ({ articlenumber, name }) => `${articlenumber} ${name}`,
  read: readCatalogue,
  plan: planWines,
  writes: (merchant, { state, plan }) => writeWineRows(merchant, state, plan),
  exported: catalogue => ({ rows: exportWines(catalogue), unnamed: 0 }),
}

/** Brings a merchant's wines to what the rows say. */
export const importWines = (merchant: MerchantId, rows: readonly WineRow[], progress?: Progress): Promise<void> =>
  importRecords(merchant, wines, rows, { progress })
