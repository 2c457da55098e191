import { fieldsProblem, Problem, validationProblem } from '../../contract/errors.ts'
import { withInformation } from '../../contract/records/consumer-information.ts'
import { checkSize } from '../../contract/records/size.ts'
import { completeWinery } from '../../contract/records/winery.ts'
import type { ChangedWine, WineToAdd } from '../../contract/routes/wine-writes.ts'
import { hasVersion } from '../../platform/table/expressions.ts'
import { retry, type TransactionRefused } from '../../platform/table/failures.ts'
import { key, type MerchantId, partition, sortKeyPrefix } from '../../platform/table/keys.ts'
import { getItem, getItemGroups, queryEntries, updateItem } from '../../platform/table/table.ts'
import { type Action, check } from '../../platform/table/transact.ts'
import { asSoldBy } from '../../values/money.ts'
import { freeWineSlug, slug } from '../../values/slug.ts'
import { timestamp } from '../../values/time.ts'
import { lostOf, namesIn, referenceKeys } from '../goods-data.ts'
import { slugTaken } from '../segments.ts'
import { readRecordsVersion, versionKey } from '../versions.ts'
import { type FactsChange, factsWrite } from './facts.ts'
import { type ReferencedRecords, withData, withoutTranslation, withTranslation } from './merge.ts'
import { type Amounts, checkGrowth, limitKeys, limitsIn } from './quota-use.ts'
import { newWine, type StoredWine, wineIdOf, wineOf, wireWine } from './stored.ts'
import { maxTries, type Versions, versionsIn, type WineWrite, writeWines } from './write.ts'

type Data = Partial<WineToAdd> & ChangedWine

/** The items that a change of a wine is checked against. */
type Context = {
  wine: StoredWine | null
  versions: Versions & { limits: Amounts }
  named: ReferencedRecords
  origin: StoredWine | null
  /** The checks of the write. */
  checks: Action[]
}

/** The check that no price range got another name since their version was read: prices contain the names. */
export const rangesCheck = (merchant: MerchantId, version: number): Action =>
  check('price ranges', versionKey(merchant, 'price-ranges'), [hasVersion(version)])

/** Reads a wine, the catalogue's versions and all records that a change refers to. */
export const readContext = async (merchant: MerchantId, id: number | null, data: Data): Promise<Context> => {
  const { winery_id, origin_id } = data
  const checks = data.prices?.length ? [rangesCheck(merchant, await readRecordsVersion(merchant, 'price-ranges'))] : []
  const found = await getItemGroups({
    catalogue: [key('catalogue', { merchant })],
    limits: limitKeys(merchant),
    seller: [key('merchant', { merchant })],
    wine: id === null ? [] : [key('wine', { merchant, id })],
    winery: winery_id ? [key('winery', { merchant, id: winery_id })] : [],
    origin: origin_id ? [key('wine', { merchant, id: origin_id })] : [],
    ...referenceKeys(merchant, data),
  })
  const priceRanges = namesIn(found, [
    ...lostOf(found.winery, 'a winery', () => 'data.winery_id'),
    ...lostOf(found.origin, 'a wine', () => 'data.origin_id'),
  ])
  const [wine] = found.wine
  const [origin] = found.origin
  return {
    wine: wine ? wineOf(wine) : null,
    versions: { ...versionsIn(found.catalogue[0]), limits: limitsIn(found.limits) },
    named: {
      winery: found.winery[0] ? completeWinery(found.winery[0]) : null,
      priceRanges,
      seller: found.seller[0] ?? {},
    },
    origin: origin ? wineOf(origin) : null,
    checks,
  }
}

export const notTranslation = (): Problem =>
  fieldsProblem('reference_not_found', [
    { path: 'data.origin_id', rule: 'translation', expected: 'the id of an original wine in another language' },
  ])

const sameLanguage = (): Problem =>
  validationProblem([
    { path: 'data.language', rule: 'translation', expected: 'a language that no translation of the wine has' },
  ])

/** Reads a wine that a record names; null without a name. */
export const readIfAny = async (merchant: MerchantId, id: number | null): Promise<StoredWine | null> => {
  const item = id === null ? undefined : await getItem(key('wine', { merchant, id }))
  return item ? wineOf(item) : null
}

export const maxTranslations = 30

/** Throws if a wine enters a list that is full or has its language. Entries that are in the list may stay. */
const checkTranslations = ({ translations }: StoredWine, { id, language }: StoredWine): void => {
  const present = translations.find(one => one.id === id)
  if (present?.language !== language && translations.some(one => one.id !== id && one.language === language)) {
    const expected = 'a language in which the original has no translation'
    throw validationProblem([{ path: 'data.language', rule: 'translation', expected }])
  }
  if (present || translations.length < maxTranslations) return
  const expected = `the id of an original with fewer than ${maxTranslations} translations`
  throw validationProblem([{ path: 'data.origin_id', rule: 'max_translations', expected }])
}

/** An original with a wine in its list. Throws if the wine cannot be its translation. */
const joinChain = (original: StoredWine, wine: StoredWine): StoredWine => {
  const isChained = original.id === wine.id || original.origin_id !== null || wine.translations.length > 0
  if (isChained || original.language === wine.language) throw notTranslation()
  checkTranslations(original, wine)
  return withTranslation(original, wine)
}

/** The writes of the originals whose lists of translations change: the wine's present and its former original. */
export const originalWrites = async (
  merchant: MerchantId,
  { before, after }: WineWrite,
  origin: StoredWine | null,
): Promise<WineWrite[]> => {
  const left = before?.origin_id === after.origin_id ? null : await readIfAny(merchant, before?.origin_id ?? null)
  const original = origin ?? (await readIfAny(merchant, after.origin_id))
  const changes = [
    ...(original ? [{ before: original, after: joinChain(original, after) }] : []),
    ...(left ? [{ before: left, after: withoutTranslation(left, after.id) }] : []),
  ]
  if (after.translations.some(({ language }) => language === after.language)) throw sameLanguage()
  return changes
    .filter(change => change.after !== change.before)
    .map(change => ({
      before: change.before,
      after: { ...change.after, version: change.before.version + 1, chstamp: after.chstamp },
    }))
}

/** The path_segments of other wines that begin with a given path_segment. */
export const segmentsLike = async (merchant: MerchantId, segment: string, id: number): Promise<ReadonlySet<string>> => {
  const pk = partition('slug', { merchant })
  const taken = await queryEntries({ pk, prefix: sortKeyPrefix('slug', { slug: segment }) })
  return new Set(taken.filter(({ item }) => item.id !== id).map(({ sk }) => sk))
}

/** Finds a free path_segment for a wine that names none, where the path_segment made from its name is taken. */
class Segments {
  /** The path_segment to use instead of that of the name. */
  free: string | undefined
  readonly #merchant: MerchantId
  readonly #given: string | undefined

  constructor(merchant: MerchantId, { path_segment }: Data) {
    this.#merchant = merchant
    this.#given = path_segment
  }

  /** Returns true, to try again after a refused write. Throws slug_taken for a given path_segment. */
  async again(error: TransactionRefused, { id, name, vintage }: StoredWine): Promise<boolean> {
    // If the catalogue or the wine changed as well, the wine with that path_segment may be this wine.
    if (!error.hasFailed(`slug ${id}`) || error.hasFailed('catalogue') || error.hasFailed(`wine ${id}`)) return true
    if (this.#given) throw slugTaken('wine')
    const others = await segmentsLike(this.#merchant, slug(name), id)
    this.free = freeWineSlug({ name, vintage }, segment => others.has(segment))
    return true
  }
}

/** Takes numbers for new wines; returns the number before the first. */
export const takeWineIds = async (count: number): Promise<number> => {
  if (count === 0) return 0
  const { value } = await updateItem(key('sequence', { name: 'wines' }), { add: { value: count } })
  return value - count
}

export const newId = async (merchant: MerchantId): Promise<number> => wineIdOf(merchant, 1 + (await takeWineIds(1)))

/** Throws if a change makes a wine, or an original with the entry of its translation, too large. */
export const checkSizes = ([change, ...originals]: readonly [WineWrite, ...WineWrite[]], given: Data): void => {
  const { before, after } = change
  checkSize(wireWine(after), given, before && wireWine(before))
  const named = given.origin_id ? { origin_id: given.origin_id } : given
  for (const original of originals) {
    checkSize(wireWine(original.after), named, original.before && wireWine(original.before))
  }
}

/** Writes a wine with its facts, and the originals whose lists of translations change. Returns the wine. */
const writeWine = async (
  merchant: MerchantId,
  { versions, origin, checks, named }: Context,
  change: FactsChange,
  given: Data,
) => {
  const { after, actions } = await factsWrite(merchant, change)
  const write = { before: change.before, after, facts: actions }
  const writes = [write, ...(await originalWrites(merchant, write, origin))] as const
  checkSizes(writes, given)
  await writeWines(merchant, writes, versions, checks)
  return withInformation(asSoldBy(named.seller ?? {}, wireWine(after)))
}

/** Adds a wine. Throws reference_not_found, price_inconsistent, slug_taken, quota_exceeded or validation_failed. */
export const addWine = async (merchant: MerchantId, cruser_id: number, data: WineToAdd) => {
  const { facts, ...record } = data
  const segments = new Segments(merchant, record)
  let id = 0
  let after: StoredWine
  return retry(
    async () => {
      const context = await readContext(merchant, null, data)
      const { versions, named } = context
      // A merchant at its limit consumes no id.
      if (versions.amounts) checkGrowth(versions.amounts, { wines: 1, public_bytes: 0 }, versions.limits)
      id ||= await newId(merchant)
      const now = timestamp(Date.now())
      // A region's name is resolved with the country.
      const blank = newWine({ id, customers_id: merchant, cruser_id, path_segment: '', now }, { ...data, region: 0 })
      after = withData(blank, record, named, segments.free)
      return writeWine(merchant, context, { before: null, after, given: facts }, data)
    },
    error => segments.again(error, after),
    maxTries,
  )
}

/**
 * True if a wine is unchanged since a client read it at a version. A sheet that was drawn since raises the version, and
 * changes nothing that the client read.
 */
const isAsRead = ({ version, expertise }: StoredWine, read: number): boolean => {
  const wasOnlyDrawn = expertise?.supplied === false && expertise.wine === version
  return read === version || (wasOnlyDrawn && read === version - 1)
}

/** Changes the given fields of a wine. Throws wine_not_found, version_conflict, nothing_to_change and what addWine throws. */
export const editWine = async (merchant: MerchantId, id: number, data: ChangedWine) => {
  const { version, ...fields } = data
  if (Object.keys(fields).length === 0) throw new Problem('nothing_to_change')
  const { facts, ...record } = data
  const segments = new Segments(merchant, record)
  let after: StoredWine
  return retry(
    async () => {
      const context = await readContext(merchant, id, data)
      const { wine, named } = context
      if (!wine) throw new Problem('wine_not_found')
      if (version !== undefined && !isAsRead(wine, version)) throw new Problem('version_conflict')
      const now = timestamp(Date.now())
      after = { ...withData(wine, record, named, segments.free), version: wine.version + 1, chstamp: now }
      return writeWine(merchant, context, { before: wine, after, given: facts }, fields)
    },
    error => segments.again(error, after),
    maxTries,
  )
}
