import { type Change, SearchIndex } from '../../search/search-index.ts'
import { type FeedState, noteEnd, noteRead, readUpTo, type Versions, versionsToAsk, youngMs } from './feed.ts'
import type { Scope } from './scopes.ts'

/**
 * An index in memory and how far it has read each feed. `unproven` is set for an index from a snapshot until its first
 * refresh: the highest version of each feed in the snapshot, which the feed itself must have reached as well.
 */
export type LoadedIndex = { index: SearchIndex; feeds: FeedState[]; unproven?: readonly number[] | undefined }

export const emptyIndex = ({ feeds }: Scope): LoadedIndex => ({
  index: new SearchIndex(),
  feeds: Array.from({ length: feeds }, () => readUpTo(0)),
})

// Monotonic, unlike the time of day.
const clock = (): number => performance.now()

const changedWineId = (change: Change): number => (change.removed ? change.id : change.wine.id)

/** Applies the changes that are new to the index; returns their number. */
const applyNew = (index: SearchIndex, changes: readonly Change[]): number => {
  const added = changes.filter(change => change.version > index.versionOf(changedWineId(change)))
  index.apply(added)
  return added.length
}

/** The snapshot of an index does not match the table: the table was restored, or is another. */
class ForeignSnapshot extends Error {}

/**
 * A read of a feed: strongly consistent, or eventually consistent if `eventualSince` is set. Such a read may miss a version
 * that exists, so it must not close a gap: noteRead gets `eventualSince`, a time when no gap was old, as its beginning.
 */
type FeedRead = { scope: Scope; number: number; index: SearchIndex; feed: FeedState; eventualSince?: number }

/** Reads a range of a feed, a page at a time, so that no more than a page is in memory next to the index. */
const readRange = async (
  { scope, number, index, feed, eventualSince }: FeedRead,
  { from, to }: Versions,
  look: (changes: readonly Change[]) => void = () => {},
): Promise<number> => {
  let [start, added, begun, next] = [from, 0, 0, clock()]
  const note = (versions: readonly number[], end: number) => {
    noteRead(feed, { range: { from: start, to: end }, versions, begun: eventualSince ?? begun, now: clock() })
    start = end + 1
  }
  for await (const changes of scope.changes(number, { from, to }, eventualSince === undefined)) {
    begun = next
    look(changes)
    added += applyNew(index, changes)
    const versions = changes.map(({ version }) => version)
    note(versions, versions.at(-1) ?? start - 1)
    next = clock()
  }
  // Nothing follows the last page.
  note([], to)
  return added
}

/**
 * Reads the first changes after a snapshot, starting with the last version that the snapshot must have. Throws
 * ForeignSnapshot if the snapshot has another wine at that version, or if the feed has not come as far as the snapshot.
 */
const readProving = async (read: FeedRead, proof: number): Promise<number> => {
  const { index, feed } = read
  const seen = feed.high
  let newest = 0
  const added = await readRange(read, { from: Math.max(1, seen), to: Number.POSITIVE_INFINITY }, changes => {
    const [first] = changes
    if (first?.version === seen && index.versionOf(changedWineId(first)) !== seen) throw new ForeignSnapshot()
    newest = Math.max(newest, changes.at(-1)?.version ?? 0)
  })
  if (newest < proof) throw new ForeignSnapshot()
  return added
}

const readAll = async (read: FeedRead, ranges: readonly Versions[]): Promise<number> => {
  const added = await Promise.all(ranges.map(range => readRange(read, range)))
  return added.reduce((sum, count) => sum + count, 0)
}

/** Strongly consistent for a proof, and where an old gap is read for the last time. */
const consistencyOf = (read: FeedRead, proof: number, now: number): FeedRead => {
  const isLast = read.feed.gaps.some(({ since }) => now - since >= youngMs)
  return !read.scope.eventual || proof > 0 || isLast ? read : { ...read, eventualSince: now }
}

const refreshFeed = async (known: FeedRead, proof = 0): Promise<number> => {
  const { feed } = known
  const begun = clock()
  const read = consistencyOf(known, proof, begun)
  const added = proof > 0 ? await readProving(read, proof) : await readAll(read, versionsToAsk(feed, begun))
  noteEnd(feed)
  // A transaction that was in progress has most likely ended; its wines are to appear together.
  const opened = feed.gaps.filter(({ since }) => since >= begun)
  if (opened.length === 0) return added
  const addedAgain = await readAll(read, versionsToAsk({ high: feed.high, gaps: opened }, clock()))
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
 * Brings an index up to date with everything that was acknowledged when this began; of an eventually consistent scope,
 * shortly before. Returns the number of changes that were new to it. An index whose snapshot does not match the table is
 * built again from the table.
 */
export const refresh = async (scope: Scope, loaded: LoadedIndex): Promise<number> => {
  try {
    const added = await refreshAll(scope, loaded)
    loaded.unproven = undefined
    return added
  } catch (error) {
    if (!(error instanceof ForeignSnapshot)) throw error
    Object.assign(loaded, emptyIndex(scope), { unproven: undefined })
    return refreshAll(scope, loaded)
  }
}
