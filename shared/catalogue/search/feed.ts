import type { Entry } from '../../platform/table/table.ts'

/**
 * How far an index has read one feed: all versions up to `high`, but for those in `gaps`, which come in order.
 *
 * Versions are dense: each change of a wine takes the next number, and the feed keeps the newest of each wine. So a
 * version is missing for one of two reasons. Either its wine has changed again since and stands further up, or its
 * transaction is just being written: towards transactions a query is only read-committed, and may show version 12
 * before 11. Nothing tells the two apart but time. What a transaction that was acknowledged has written, no strongly
 * consistent query that begins afterwards can miss.
 */
export type FeedState = { high: number; gaps: Gap[] }

/** Versions, both ends included. */
export type Versions = { from: number; to: number }

/**
 * Versions that a feed lacked, since when: in milliseconds of a clock that never goes back. Whether they are deep below the
 * highest version is known when the feed was read to its end.
 */
type Gap = Versions & { since: number; isDeep?: boolean }

/** A gap that a query still finds this long after it was first found is of versions that were overtaken. */
export const youngMs = 10_000

/** The version of its feed at which an item changed last. */
export const feedVersion = ({ index = '' }: Pick<Entry<unknown>, 'index'>): number => Number(index)

/** A feed of which everything up to a version has been read. */
export const readUpTo = (high: number): FeedState => ({ high, gaps: [] })

/** The version up to which nothing can be missing any more. */
export const settledVersion = ({ high, gaps: [first] }: FeedState): number => (first ? first.from - 1 : high)

/**
 * A version this far below the highest one was overtaken: no transaction takes so long to show that as many versions pass
 * it by. A feed is one partition, which takes 1,000 write units a second, and a change of a wine costs ten and more.
 */
export const mostPassing = 1_000

/** Sets the gaps apart that no acknowledged change can be in any more, when a feed has been read to its end. */
export const noteEnd = ({ high, gaps }: FeedState): void => {
  for (const gap of gaps) gap.isDeep ??= high - gap.to > mostPassing
}

// Asking again costs a few queries at most at every search, and the wines between gaps that one query asks for.
const mostQueries = 4
/** Two gaps with no more versions than this between them are asked for at once. */
const near = 8

const fromLowToHigh = (one: number, other: number): number => one - other

/**
 * What to ask of a feed: what is above it, and again for its gaps. A feed without gaps takes one query. All gaps that an
 * acknowledged change may be in are asked for every time, in few queries, which leave out what is widest between them.
 * Deep ones, as a bulk change of the same wines leaves them, are asked for once more, when they are not young any more.
 */
export const versionsToAsk = ({ high, gaps }: FeedState, now: number): Versions[] => {
  const due = gaps.filter(({ isDeep, since }) => !isDeep || now - since >= youngMs)
  const wanted: Versions[] = [...due, { from: high + 1, to: Number.POSITIVE_INFINITY }]
  const between = (n: number): number => (wanted[n + 1] as Versions).from - (wanted[n] as Versions).to - 1
  const cuts = [...due.keys()]
    .filter(n => between(n) > near)
    .sort((one, other) => between(other) - between(one))
    .slice(0, mostQueries - 1)
    .sort(fromLowToHigh)
  const firsts = [0, ...cuts.map(n => n + 1)]
  const lasts = [...cuts, due.length]
  return firsts
    .map((first, n) => ({ from: (wanted[first] as Versions).from, to: (wanted[lasts[n] as number] as Versions).to }))
    .toReversed()
}

/** The parts of a stretch that lie between versions, which come in order. */
const missingIn = ({ from, to }: Versions, versions: readonly number[]): Versions[] => {
  const missing: Versions[] = []
  let next = from
  for (const version of versions) {
    if (version < next) continue
    if (version > to) break
    if (version > next) missing.push({ from: next, to: version - 1 })
    next = version + 1
  }
  if (next <= to) missing.push({ from: next, to })
  return missing
}

/** What is left of a gap when a stretch of the feed was read, by a query that began `begun`. */
const leftOf = (gap: Gap, stretch: Versions, versions: readonly number[], begun: number): Gap[] => {
  const read = { from: Math.max(gap.from, stretch.from), to: Math.min(gap.to, stretch.to) }
  if (read.from > read.to) return [gap]
  const isYoung = begun - gap.since < youngMs
  const parts = [
    { from: gap.from, to: read.from - 1 },
    ...(isYoung ? missingIn(read, versions) : []),
    { from: read.to + 1, to: gap.to },
  ]
  return parts.filter(({ from, to }) => from <= to).map(part => ({ ...gap, ...part }))
}

/**
 * Takes note of the versions, in order, that a query found in a stretch of its feed; `begun` and `now` tell when it began
 * and ended. Answers of several queries may be noted in any order.
 */
export const noteRead = (
  feed: FeedState,
  { stretch, versions, begun, now }: { stretch: Versions; versions: readonly number[]; begun: number; now: number },
): void => {
  const { high } = feed
  feed.gaps = feed.gaps.flatMap(gap => leftOf(gap, stretch, versions, begun))
  feed.high = Math.max(high, versions.at(-1) ?? 0)
  const missing = missingIn({ from: high + 1, to: feed.high }, versions)
  feed.gaps.push(...missing.map(part => ({ ...part, since: now })))
}
