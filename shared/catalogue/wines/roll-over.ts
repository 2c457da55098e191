import { Problem, validationProblem } from '../../contract/errors.ts'
import { withInformation } from '../../contract/records/consumer-information.ts'
import { findOversized } from '../../contract/records/size.ts'
import type { NextVintage } from '../../contract/routes/wine-writes.ts'
import { pick } from '../../contract/schema/fields.ts'
import { retry, type TransactionRefused, untilShown } from '../../platform/table/failures.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { asSoldBy } from '../../values/money.ts'
import { drawnWord } from '../../values/picture-name.ts'
import { freeSlug, slug } from '../../values/slug.ts'
import { timestamp } from '../../values/time.ts'
import { slugTaken } from '../segments.ts'
import { checkSizes, newId, notTranslation, originalWrites, readContext, readIfAny, segmentsLike } from './edit.ts'
import { factsWrite } from './facts.ts'
import { withData } from './merge.ts'
import { checkGrowth } from './quota-use.ts'
import { isDrawn, newWine, type StoredWine, type WineIdentity, wireWine } from './stored.ts'
import { maxTries, type WineWrite, writeWines } from './write.ts'

/** The fields of a single vintage: identity, analysis, article code, state of the stock, translations, files. */
const ofOneVintage = [
  ...['id', 'cruser_id', 'crstamp', 'chstamp', 'hash', 'version'],
  ...['alcohol', 'sweetness', 'acid', 'gtin', 'nostocktext'],
  ...['translations', 'origin_id', 'successor_id', 'pdf', 'expertisePdf'],
] as const

/** The next vintage of a wine, before its own data: what the two have in common, sold out, with the wine's year. */
export const nextVintage = (wine: StoredWine, identity: Omit<WineIdentity, 'path_segment'>): StoredWine => ({
  ...wireWine(wine),
  ...pick(newWine({ ...identity, path_segment: wine.path_segment }, wine), ofOneVintage),
  predecessor_id: wine.id,
  ...(wine.priced !== undefined && { priced: wine.priced }),
  nostock: 1,
  // A supplied picture shows the label with the year.
  image: isDrawn(wine.image) ? drawnWord : null,
})

type Segmented = Pick<StoredWine, 'path_segment' | 'vintage'>

/** A path_segment with the year; cut, it may equal the path_segment without the year. */
const yearSegment = ({ path_segment, vintage }: Segmented): string => slug(`${path_segment}-${vintage}`)

/** The path_segment of a wine whose next vintage takes its own over; `taken` are those of other wines. */
export const formerSegment = (wine: Segmented, taken: ReadonlySet<string> = new Set()): string =>
  freeSlug(yearSegment(wine), segment => segment === wine.path_segment || taken.has(segment))

const maxNumberLength = 255

/** A wine after its next vintage was made: it gives up the article number and path_segment that the other wine has. */
export const formerVintage = (wine: StoredWine, next: StoredWine, segment: string): StoredWine => {
  const end = `-${wine.vintage}`
  const isNumberTaken = wine.articlenumber !== null && wine.articlenumber === next.articlenumber
  return {
    ...wine,
    articlenumber: isNumberTaken
      ? wine.articlenumber?.slice(0, maxNumberLength - end.length).toWellFormed() + end
      : wine.articlenumber,
    path_segment: wine.path_segment === next.path_segment ? segment : wine.path_segment,
    successor_id: next.id,
    version: wine.version + 1,
    chstamp: next.crstamp,
  }
}

/** A wine that another wine names. */
const shownWine = (merchant: MerchantId, id: number): Promise<StoredWine> =>
  untilShown(async () => (await readIfAny(merchant, id)) ?? undefined)

/** The next vintage that a wine has. Throws already_rolled_over if it is of another year. */
const presentSuccessor = async (merchant: MerchantId, successor: number, vintage: number): Promise<StoredWine> => {
  const next = await shownWine(merchant, successor)
  if (next.vintage === vintage) return next
  const expected = `the vintage of wine ${successor}, which is the next one`
  throw new Problem('already_rolled_over', { fields: [{ path: 'vintage', rule: 'already_rolled_over', expected }] })
}

/** Throws validation_failed unless a year is later than that of the wine. */
const checkLater = (vintage: number, { vintage: former }: StoredWine): void => {
  if (former === null)
    throw validationProblem([{ path: 'id', rule: 'vintage', expected: 'the id of a wine with a vintage' }])
  if (vintage > former) return
  throw validationProblem([{ path: 'vintage', rule: 'later_vintage', expected: `later than ${former}` }])
}

/** The next vintage of a wine that does not show it yet: its original lists it in its language. */
const listedSuccessor = async (
  merchant: MerchantId,
  { id, language }: Pick<StoredWine, 'id' | 'language'>,
  original: StoredWine | null,
): Promise<StoredWine | undefined> => {
  const listed = original?.translations.find(one => one.language === language)
  const next = listed && (await shownWine(merchant, listed.id))
  return next?.predecessor_id === id ? next : undefined
}

type Originals = { own: StoredWine | null; next: StoredWine | null }

/** The original of a wine, and that of its next vintage: the given wine, else the successor of the wine's own. */
const originalsOf = async (
  merchant: MerchantId,
  wine: StoredWine,
  { origin_id }: NextVintage,
  given: StoredWine | null,
): Promise<Originals> => {
  // The vintages of a wine do not translate each other.
  if (given && (given.id === wine.id || given.id === wine.origin_id)) throw notTranslation()
  const own = await readIfAny(merchant, wine.origin_id)
  if (origin_id !== undefined) return { own, next: given }
  if (!own?.successor_id) return { own, next: null }
  const next = await shownWine(merchant, own.successor_id)
  return { own, next: next.origin_id === null ? next : null }
}

/**
 * Throws validation_failed if the former vintage, or its original, has no room for what the next vintage changes there.
 */
const checkRoom = (writes: readonly WineWrite[]): void => {
  const [broken] = writes.flatMap(
    ({ before, after }) => findOversized(wireWine(after), {}, before && wireWine(before)) ?? [],
  )
  if (!broken) return
  const expected = `the id of a wine that has room for \`successor_id\`: a record can have ${broken.expected}`
  throw validationProblem([{ path: 'id', rule: 'room', expected }])
}

export type RollOver = { id: number; vintage: number; data: NextVintage }

/**
 * Makes the wine of the next vintage, once: a repeat returns it. It takes over the former wine's path_segment and article
 * number. Throws already_rolled_over, and what editWine and addWine throw.
 */
export const rollOverWine = async (merchant: MerchantId, cruser_id: number, { id, vintage, data }: RollOver) => {
  const { facts, ...record } = data
  let nextId = 0
  let former: StoredWine
  let segment: string | undefined

  const attempt = async () => {
    const { wine, versions, named, origin, checks } = await readContext(merchant, id, data)
    const answerOf = (one: StoredWine) => withInformation(asSoldBy(named.seller ?? {}, wireWine(one)))
    if (!wine) throw new Problem('wine_not_found')
    if (wine.successor_id !== null) return answerOf(await presentSuccessor(merchant, wine.successor_id, vintage))
    checkLater(vintage, wine)
    if (versions.amounts) checkGrowth(versions.amounts, { wines: 1, public_bytes: 0 }, versions.limits)
    const originals = await originalsOf(merchant, wine, data, origin)
    const { path_segment = wine.path_segment, language = wine.language } = data
    const listed = await listedSuccessor(merchant, { id, language }, originals.next)
    if (listed) return answerOf(await presentSuccessor(merchant, listed.id, vintage))
    nextId ||= await newId(merchant)
    const now = timestamp(Date.now())
    const blank = nextVintage(wine, { id: nextId, customers_id: merchant, cruser_id, now })
    const merged = withData(blank, { ...record, vintage, path_segment, origin_id: originals.next?.id ?? null }, named)
    const { actions, after: next } = await factsWrite(merchant, { before: null, after: merged, given: facts })
    former = wine
    const addition: WineWrite = { before: null, after: next, facts: actions }
    const change: WineWrite = { before: wine, after: formerVintage(wine, next, segment ?? formerSegment(wine)) }
    const additions = [addition, ...(await originalWrites(merchant, addition, originals.next))] as const
    const changes = [change, ...(await originalWrites(merchant, change, originals.own))]
    checkSizes(additions, data)
    checkRoom(changes)
    await writeWines(merchant, [...additions, ...changes], versions, checks)
    return answerOf(next)
  }

  const again = async (error: TransactionRefused): Promise<boolean> => {
    // If the catalogue or the wine changed as well, the wine with that path_segment may be either.
    if (error.hasFailed('catalogue') || error.hasFailed(`wine ${id}`)) return true
    if (error.hasFailed(`slug ${nextId}`)) throw slugTaken('wine')
    if (error.hasFailed(`slug ${id}`)) {
      segment = formerSegment(former, await segmentsLike(merchant, yearSegment(former), id))
    }
    return true
  }

  return retry(attempt, again, maxTries)
}
