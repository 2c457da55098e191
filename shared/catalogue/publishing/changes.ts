import type { PublicationItem, WineItem } from '../../platform/table/items.ts'
import { indexKey, type MerchantId, partition } from '../../platform/table/keys.ts'
import { type Entry, queryPages } from '../../platform/table/table.ts'
import { feedVersion, noteRead, type Versions, versionsToAsk } from '../search/feed.ts'
import { type StoredWine, wineOf } from '../wines/stored.ts'

/** How far a feed is read. */
export type Progress = Pick<PublicationItem, 'high' | 'gaps'>

/** Whether versions of a feed, up to `newest`, are not read. */
export const isBehind = ({ high, gaps }: Progress, newest: number): boolean => high < newest || gaps.length > 0

/** What was read of a merchant's feed: its wines in the order of their versions, how far that is, and whether more follows. */
export type Changes = { wines: StoredWine[]; progress: Progress; isMore: boolean }

// What is read at once: some requests, and some MB of memory.
const mostWines = 256
const mostLetters = 2_000_000

// Each is some fifty bytes of an item.
const mostGaps = 200

/** The same in no more gaps than an item shall hold: of more, those furthest down become one. */
export const inFewGaps = ({ high, gaps }: Progress, most = mostGaps): Progress => {
  const many = gaps.slice(0, gaps.length - most + 1)
  const [first, last] = [many[0], many.at(-1)]
  if (gaps.length <= most || !first || !last) return { high, gaps }
  const since = Math.max(...many.map(gap => gap.since))
  return { high, gaps: [{ from: first.from, to: last.to, since }, ...gaps.slice(many.length)] }
}

const lettersIn = (entries: readonly Entry<WineItem>[]): number =>
  entries.reduce((sum, { item }) => sum + item.doc.length, 0)

/** A feed as it is read on. */
class Reading {
  readonly feed: Progress
  readonly entries: Entry<WineItem>[] = []
  /** Whether all that was asked for is read. */
  isWhole = true
  private readonly merchant: MerchantId

  constructor(merchant: MerchantId, { high, gaps }: Progress) {
    this.merchant = merchant
    this.feed = { high, gaps: [...gaps] }
  }

  /** Reads stretches, the first ones first, as long as it is not too much. */
  async read(stretches: readonly Versions[]): Promise<void> {
    let [wines, letters] = [mostWines, mostLetters]
    for (const stretch of stretches) {
      if (wines <= 0 || letters <= 0) this.isWhole = false
      else {
        const read = await this.readStretch(stretch, wines, letters)
        wines -= read.length
        letters -= lettersIn(read)
      }
    }
  }

  private async readStretch({ from, to }: Versions, wines: number, letters: number): Promise<Entry<WineItem>[]> {
    const begun = Date.now()
    const read: Entry<WineItem>[] = []
    let isEnough = false
    for await (const page of this.pages({ from, to }, wines)) {
      read.push(...page)
      isEnough = read.length >= wines || lettersIn(read) >= letters
      if (isEnough) break
    }
    if (isEnough) this.isWhole = false
    this.entries.push(...read)
    const versions = read.map(feedVersion)
    const end = isEnough ? (versions.at(-1) ?? 0) : to
    noteRead(this.feed, { stretch: { from, to: end }, versions, begun, now: Date.now() })
    return read
  }

  private pages({ from, to }: Versions, limit: number): AsyncGenerator<Entry<WineItem>[]> {
    const at = (version: number) => indexKey('wine', { version })
    const range = to === Number.POSITIVE_INFINITY ? { above: at(from - 1) } : { between: [at(from), at(to)] as const }
    return queryPages({ pk: partition('wine', { merchant: this.merchant }), indexed: true, ...range, limit })
  }
}

/** Wines in the order of their versions; of one that changed between two queries, as it was last. */
const winesIn = (entries: readonly Entry<WineItem>[]): StoredWine[] => {
  const wines = new Map<string, WineItem>()
  for (const { sk, item } of entries.toSorted((one, other) => feedVersion(one) - feedVersion(other))) {
    wines.delete(sk)
    wines.set(sk, item)
  }
  return [...wines.values()].map(wineOf)
}

/**
 * Reads the next changes of a merchant's catalogue, whose version was `newest` before: what lies above what is read, and
 * again what its gaps lack. What turns out to be missing is asked for once more at once: a transaction that was just being
 * written is so no more, most likely, and what was acknowledged before another change is published before it.
 */
export const readChanges = async (merchant: MerchantId, known: Progress, newest: number): Promise<Changes> => {
  const begun = Date.now()
  const reading = new Reading(merchant, known)
  const { feed } = reading
  await reading.read(versionsToAsk(known, begun))
  if (reading.isWhole && feed.high < newest) {
    // Nothing has overtaken the newest version, so it is being written.
    feed.gaps.push({ from: feed.high + 1, to: newest, since: Date.now() })
    feed.high = newest
  }
  const opened = feed.gaps.filter(({ since }) => since >= begun)
  if (opened.length > 0) await reading.read(versionsToAsk({ high: feed.high, gaps: opened }, Date.now()))
  return { wines: winesIn(reading.entries), progress: inFewGaps(feed), isMore: !reading.isWhole }
}
