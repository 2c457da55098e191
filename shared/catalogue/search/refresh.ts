import { type Change, createSearchIndex, type SearchIndex } from '../../search/search-index.ts'
import { type FeedState, noteEnd, noteRead, readUpTo, type Versions, versionsToAsk, youngMs } from './feed.ts'
import type { Scope } from './scopes.ts'

/**
 * An index in memory and how far it has read each feed. One that comes from a snapshot is `unproven` at first: by feed
 * the highest version that the snapshot holds, which the feed must have reached as well.
 */
export type LoadedIndex = { index: SearchIndex; feeds: FeedState[]; unproven?: readonly number[] | undefined }

/** An index of nothing, which has read nothing. */
export const emptyIndex = ({ feeds }: Scope): LoadedIndex => ({
  index: createSearchIndex(),
  feeds: Array.from({ length: feeds }, () => readUpTo(0)),
})

// Not the time of day, which may be set.
const clock = (): number => performance.now()

const idOf = (change: Change): number => (change.removed ? change.id : change.wine.id)

/** Applies what is new to the index; returns how many changes that were. */
const applyNew = (index: SearchIndex, changes: readonly Change[]): number => {
  const added = changes.filter(change => change.version > index.versionOf(idOf(change)))
  index.apply(added)
  return added.length
}

/** The snapshot that an index came from is not of this table as it is: the table was restored, or is another. */
class Foreign extends Error {}

/**
 * How a feed is read: exactly, or as of a moment at which none of its gaps was old. What an inexact read does not show
 * may be there all the same, so nothing is taken for overtaken by it.
 */
type Reading = { scope: Scope; number: number; index: SearchIndex; feed: FeedState; inexactSince?: number }

/** Reads a stretch of a feed, a page at a time, so that no more than a page waits in memory beside the index. */
const readStretch = async (
  { scope, number, index, feed, inexactSince }: Reading,
  { from, to }: Versions,
  look: (changes: readonly Change[]) => void = () => {},
): Promise<number> => {
  let [start, added, begun, next] = [from, 0, 0, clock()]
  const note = (versions: readonly number[], end: number) => {
    noteRead(feed, { stretch: { from: start, to: end }, versions, begun: inexactSince ?? begun, now: clock() })
    start = end + 1
  }
  for await (const changes of scope.changes(number, { from, to }, inexactSince === undefined)) {
    begun = next
    look(changes)
    added += applyNew(index, changes)
    const versions = changes.map(({ version }) => version)
    note(versions, versions.at(-1) ?? start - 1)
    next = clock()
  }
  // Nothing follows what the last page had.
  note([], to)
  return added
}

/**
 * Reads the first changes after a snapshot, from the last one on that the snapshot surely has: where its wine has not
 * changed since it stands there as the snapshot says, and the feed has come as far as the snapshot.
 */
const readProving = async (reading: Reading, proof: number): Promise<number> => {
  const { index, feed } = reading
  const seen = feed.high
  let newest = 0
  const added = await readStretch(reading, { from: Math.max(1, seen), to: Number.POSITIVE_INFINITY }, changes => {
    const [first] = changes
    if (first?.version === seen && index.versionOf(idOf(first)) !== seen) throw new Foreign()
    newest = Math.max(newest, changes.at(-1)?.version ?? 0)
  })
  if (newest < proof) throw new Foreign()
  return added
}

const readAll = async (reading: Reading, asked: readonly Versions[]): Promise<number> => {
  const added = await Promise.all(asked.map(stretch => readStretch(reading, stretch)))
  return added.reduce((sum, count) => sum + count, 0)
}

/** A feed as it is read now: exactly for a proof, and where an old gap is asked for a last time. */
const readingNow = (reading: Reading, proof: number, now: number): Reading => {
  const isLast = reading.feed.gaps.some(({ since }) => now - since >= youngMs)
  return !reading.scope.eventual || proof > 0 || isLast ? reading : { ...reading, inexactSince: now }
}

const refreshFeed = async (known: Reading, proof = 0): Promise<number> => {
  const { feed } = known
  const begun = clock()
  const reading = readingNow(known, proof, begun)
  const added = proof > 0 ? await readProving(reading, proof) : await readAll(reading, versionsToAsk(feed, begun))
  noteEnd(feed)
  // A transaction that was just being written is so no more, most likely; its wines shall show together.
  const opened = feed.gaps.filter(({ since }) => since >= begun)
  if (opened.length === 0) return added
  const addedAgain = await readAll(reading, versionsToAsk({ high: feed.high, gaps: opened }, clock()))
  noteEnd(feed)
  return added + addedAgain
}

const refreshAll = async (scope: Scope, { index, feeds, unproven }: LoadedIndex): Promise<number> => {
  const added = await Promise.all(
    feeds.map((feed, number) => refreshFeed({ scope, number, index, feed }, unproven?.[number])),
  )
  return added.reduce((sum, count) => sum + count, 0)
}

/**
 * Brings an index up to date: it then has all that was acknowledged when this began, or, of a scope that may lag, a
 * moment before. Returns how many changes were new to it. An index whose snapshot turns out not to be of this table
 * begins anew.
 */
export const refresh = async (scope: Scope, loaded: LoadedIndex): Promise<number> => {
  try {
    const added = await refreshAll(scope, loaded)
    loaded.unproven = undefined
    return added
  } catch (error) {
    if (!(error instanceof Foreign)) throw error
    Object.assign(loaded, emptyIndex(scope), { unproven: undefined })
    return refreshAll(scope, loaded)
  }
}
