import type { PublicationItem, WineItem } from '../../platform/table/items.ts'
import { indexKey, type MerchantId, partition } from '../../platform/table/keys.ts'
import { type Entry, queryPages } from '../../platform/table/table.ts'
import { feedVersion, noteRead, type Versions, versionsToAsk } from '../search/feed.ts'
import { type StoredWine, wineOf } from '../wines/stored.ts'

/** How far a feed was read. */
export type Progress = Pick<PublicationItem, 'high' | 'gaps'>

/** True if versions of a feed, up to `newest`, were not read. */
export const isBehind = ({ high, gaps }: Progress, newest: number): boolean => high < newest || gaps.length > 0

/** Changed wines of a merchant's feed in the order of their versions, how far it was read, and whether more follows. */
export type Changes = { wines: StoredWine[]; progress: Progress; isMore: boolean }

// The limits of a read: some requests, and some MB of memory.
const maxWines = 256
const maxLetters = 2_000_000

// Each takes some fifty bytes of an item.
const maxGaps = 200

/** The same with no more gaps than an item is to have: the lowest become a single gap. */
export const inFewGaps = ({ high, gaps }: Progress, max = maxGaps): Progress => {
  const many = gaps.slice(0, gaps.length - max + 1)
  const [first, last] = [many[0], many.at(-1)]
  if (gaps.length <= max || !first || !last) return { high, gaps }
  const since = Math.max(...many.map(gap => gap.since))
  return { high, gaps: [{ from: first.from, to: last.to, since }, ...gaps.slice(many.length)] }
}

const lettersIn = (entries: readonly Entry<WineItem>[]): number =>
  entries.reduce((sum, { item }) => sum + item.doc.length, 0)

/** A read of a feed from where the last read ended. */
class FeedReader {
  readonly feed: Progress
  readonly entries: Entry<WineItem>[] = []
  /** False once a limit ended a read early. */
  isWhole = true
  readonly #merchant: MerchantId

  constructor(merchant: MerchantId, { high, gaps }: Progress) {
    this.#merchant = merchant
    this.feed = { high, gaps: [...gaps] }
  }

  /** Reads ranges of versions in their order, within the limits. */
  async read(ranges: readonly Versions[]): Promise<void> {
    let [wines, letters] = [maxWines, maxLetters]
    for (const range of ranges) {
      if (wines <= 0 || letters <= 0) this.isWhole = false
      else {
        const read = await this.#readRange(range, wines, letters)
        wines -= read.length
        letters -= lettersIn(read)
      }
    }
  }

  async #readRange({ from, to }: Versions, wines: number, letters: number): Promise<Entry<WineItem>[]> {
    const begun = Date.now()
    const read: Entry<WineItem>[] = []
    let isEnough = false
    for await (const page of this.#pages({ from, to }, wines)) {
      read.push(...page)
      isEnough = read.length >= wines || lettersIn(read) >= letters
      if (isEnough) break
    }
    if (isEnough) this.isWhole = false
    this.entries.push(...read)
    const versions = read.map(feedVersion)
    const end = isEnough ? (versions.at(-1) ?? 0) : to
    noteRead(this.feed, { range: { from, to: end }, versions, begun, now: Date.now() })
    return read
  }

  #pages({ from, to }: Versions, limit: number): AsyncGenerator<Entry<WineItem>[]> {
    const at = (version: number) => indexKey('wine', { version })
    const range = to === Number.POSITIVE_INFINITY ? { above: at(from - 1) } : { between: [at(from), at(to)] as const }
    return queryPages({ pk: partition('wine', { merchant: this.#merchant }), indexed: true, ...range, limit })
  }
}

/** Wines in the order of their versions; the latest state of a wine that changed between two queries. */
const winesIn = (entries: readonly Entry<WineItem>[]): StoredWine[] => {
  const wines = new Map<string, WineItem>()
  for (const { sk, item } of entries.toSorted((one, other) => feedVersion(one) - feedVersion(other))) {
    wines.delete(sk)
    wines.set(sk, item)
  }
  return [...wines.values()].map(wineOf)
}

/**
 * Reads the next changes of a merchant's catalogue, whose version was `newest` before: those above `known.high`, and those
 * that fill its gaps. Versions that turn out to be missing are read once more immediately: a transaction in progress has
 * most likely ended, and a change is to be published after those that were acknowledged before it.
 */
export const readChanges = async (merchant: MerchantId, known: Progress, newest: number): Promise<Changes> => {
  const begun = Date.now()
  const reader = new FeedReader(merchant, known)
  const { feed } = reader
  await reader.read(versionsToAsk(known, begun))
  if (reader.isWhole && feed.high < newest) {
    // The newest version cannot have been overtaken, so its transaction is in progress.
    feed.gaps.push({ from: feed.high + 1, to: newest, since: Date.now() })
    feed.high = newest
  }
  const opened = feed.gaps.filter(({ since }) => since >= begun)
  if (opened.length > 0) await reader.read(versionsToAsk({ high: feed.high, gaps: opened }, Date.now()))
  return { wines: winesIn(reader.entries), progress: inFewGaps(feed), isMore: !reader.isWhole }
}
