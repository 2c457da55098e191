import type { Entry } from '../../platform/table/table.ts'

/**
 * How far an index has read a feed: all versions up to `high`, except those in `gaps`, which are in order.
 *
 * Versions are dense: each change of a wine takes the next number, and the feed has the newest version of each wine. So a
 * version is missing for one of two reasons. Either its wine has changed again since and has a higher version, or its
 * transaction is in progress: a query is only read-committed with respect to transactions, and may return version 12
 * before 11. Only time distinguishes the two. A strongly consistent query that begins after a transaction was
 * acknowledged returns everything that it wrote.
 */
export type FeedState = { high: number; gaps: Gap[] }

/** Versions, both ends included. */
export type Versions = { from: number; to: number }

/**
 * Versions that were missing, and since when, in milliseconds of a monotonic clock. `isDeep`, true if they are far below
 * the highest version, is known once the feed was read to its end.
 */
type Gap = Versions & { since: number; isDeep?: boolean }

/** Milliseconds after which a version that is still missing was overtaken: its wine has a higher version. */
export const youngMs = 10_000

/** The version of its feed at which an item was last changed. */
export const feedVersion = ({ index = '' }: Pick<Entry<unknown>, 'index'>): number => Number(index)

/** The state of a feed that was read up to a version. */
export const readUpTo = (high: number): FeedState => ({ high, gaps: [] })

/** The version up to which nothing can be missing. */
export const settledVersion = ({ high, gaps: [first] }: FeedState): number => (first ? first.from - 1 : high)

/**
 * A version this far below the highest was overtaken: no transaction takes so long that as many versions are written
 * meanwhile. A feed is one partition, which takes 1,000 write units a second; a change of a wine costs ten or more.
 */
export const maxPassing = 1_000

/** Marks the gaps that no acknowledged change can be in, when a feed has been read to its end. */
export const noteEnd = ({ high, gaps }: FeedState): void => {
  for (const gap of gaps) gap.isDeep ??= high - gap.to > maxPassing
}

// Reading gaps again costs every search a few queries, and the wines between gaps that share a query.
const maxQueries = 4
/** Gaps with no more versions than this between them share a query. */
const near = 8

/**
 * The ranges of versions to query, at most `maxQueries`: all above `high`, and the gaps that may still be filled. Gaps close
 * to each other share a range. A deep gap, which a bulk change of the same wines leaves, is queried only once more,
 * when it is old.
 */
export const versionsToAsk = ({ high, gaps }: FeedState, now: number): Versions[] => {
  const due = gaps.filter(({ isDeep, since }) => !isDeep || now - since >= youngMs)
  const wanted: Versions[] = [...due, { from: high + 1, to: Number.POSITIVE_INFINITY }]
  const gapAfter = (n: number): number => (wanted[n + 1] as Versions).from - (wanted[n] as Versions).to - 1
  const cuts = [...due.keys()]
    .filter(n => gapAfter(n) > near)
    .sort((one, other) => gapAfter(other) - gapAfter(one))
    .slice(0, maxQueries - 1)
    .sort((one, other) => one - other)
  const firsts = [0, ...cuts.map(n => n + 1)]
  const lasts = [...cuts, due.length]
  return firsts
    .map((first, n) => ({ from: (wanted[first] as Versions).from, to: (wanted[lasts[n] as number] as Versions).to }))
    .toReversed()
}

/** The parts of a range of versions without any of those given, which are in order. */
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

/** The rest of a gap after a query of a range, which began at `begun`. */
const leftOf = (gap: Gap, range: Versions, versions: readonly number[], begun: number): Gap[] => {
  const read = { from: Math.max(gap.from, range.from), to: Math.min(gap.to, range.to) }
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
 * Notes the versions, in order, that a query found in a range of its feed; it began at `begun` and ended at `now`. Answers
 * of several queries may be noted in any order.
 */
export const noteRead = (
  feed: FeedState,
  { range, versions, begun, now }: { range: Versions; versions: readonly number[]; begun: number; now: number },
): void => {
  const { high } = feed
  feed.gaps = feed.gaps.flatMap(gap => leftOf(gap, range, versions, begun))
  feed.high = Math.max(high, versions.at(-1) ?? 0)
  const missing = missingIn({ from: high + 1, to: feed.high }, versions)
  feed.gaps.push(...missing.map(part => ({ ...part, since: now })))
}
