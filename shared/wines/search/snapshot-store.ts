import { setTimeout as pause } from 'node:timers/promises'
import { checksumOf, type Replacing, readFile, readHead, writeFile } from '../../files/files.ts'
import { log } from '../../log.ts'
import { tableName } from '../../table/table.ts'
import type { SearchIndex } from './engine/search-index.ts'
import { packSnapshot, unpackSnapshot } from './engine/snapshot-format.ts'
import { readUpTo, settledVersion, youngMs } from './feed.ts'
import { emptyIndex, type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import {
  headText,
  mostBytes,
  readHeadText,
  type SnapshotOf,
  type SnapshotState,
  seal,
  unseal,
} from './snapshot-envelope.ts'

const keyOf = ({ name }: Scope): string => `snapshots/${name}`

const contentType = 'application/octet-stream'

const snapshotOf = ({ name, feeds }: Scope): SnapshotOf => ({ table: tableName(), scope: name, feeds })

const stateOf = ({ index, feeds }: LoadedIndex): SnapshotState => ({
  seen: feeds.map(settledVersion),
  high: feeds.map(({ high }) => high),
  size: index.size,
})

/** An index, and what a new snapshot of its scope would replace. */
export type LoadedSnapshot = LoadedIndex & { replacing: Replacing }

// The head stands beside the object as well, with the checksum of the bytes that it belongs to, so that a look at it
// tells how old they are. It is never more than a hint not to read them.
const write = (scope: Scope, loaded: LoadedSnapshot): Promise<boolean> => {
  const [of, state] = [snapshotOf(scope), stateOf(loaded)]
  const sealed = seal(of, state, packSnapshot(loaded.index))
  if (sealed.length > mostBytes) return Promise.resolve(false)
  const metadata = { head: headText(of, state), checksum: checksumOf(sealed) }
  return writeFile(keyOf(scope), sealed, contentType, loaded.replacing, metadata)
}

const nothing = ({ feeds }: Scope): SnapshotState => {
  const none = Array.from({ length: feeds }, () => 0)
  return { seen: none, high: none, size: 0 }
}

/** What a look beside a scope's snapshot tells of it; undefined when that one is not whole, or not of this scope. */
const glance = async (scope: Scope): Promise<SnapshotState | undefined> => {
  const head = await readHead(keyOf(scope))
  if (!head) return nothing(scope)
  const { head: text = '', checksum } = head.metadata
  return checksum === head.checksum ? readHeadText(text, snapshotOf(scope)) : undefined
}

// What has the right checksum and still cannot be read was written by other code.
const unpackIndex = (scope: Scope, bytes: Buffer): SearchIndex | undefined => {
  try {
    return unpackSnapshot(bytes)
  } catch (error) {
    log.warn('a snapshot cannot be read', { scope: scope.name, error: (error as Error).name })
    return undefined
  }
}

const unpack = (scope: Scope, bytes: Buffer): LoadedIndex | undefined => {
  const unsealed = unseal(bytes, snapshotOf(scope))
  const index = unsealed && unpackIndex(scope, unsealed.index)
  return index && { index, feeds: unsealed.seen.map(readUpTo), unproven: unsealed.high }
}

/**
 * A scope's index as its snapshot has it; empty when there is none, or one that is damaged, of other code, or not of this
 * scope and table.
 */
export const loadSnapshot = async (scope: Scope): Promise<LoadedSnapshot> => {
  const file = await readFile(keyOf(scope), mostBytes)
  const loaded = file && unpack(scope, file.body)
  return { ...(loaded ?? emptyIndex(scope)), replacing: file ? { etag: file.etag } : 'nothing' }
}

/** A snapshot is written anew after so many changes, or as many as this part of its wines. */
const isWorthIt = (changes: number, size: number): boolean => changes >= Math.min(500, Math.max(20, size / 20))

/** Whether the feeds' newest versions alone say that there is nothing to do. */
const isFresh = async (scope: Scope, state: SnapshotState): Promise<boolean> => {
  const newest = await Promise.all(state.seen.map((_, feed) => scope.newest(feed)))
  const isAhead = newest.some((version, feed) => version < (state.high[feed] ?? 0))
  const changes = newest.reduce((sum, version, feed) => sum + version - (state.seen[feed] ?? 0), 0)
  return !isAhead && !isWorthIt(changes, state.size)
}

/** How many milliseconds may still be waited for feeds to settle; one run of a job has them for all its scopes. */
export type Patience = { ms: number }

// A snapshot lacks nothing up to its `seen`: what is only being written must have come in, or be told from what never comes.
const untilSettled = async (scope: Scope, loaded: LoadedIndex, patience: Patience): Promise<void> => {
  if (loaded.feeds.every(({ gaps }) => gaps.length === 0)) return
  const wait = Math.max(0, Math.min(youngMs + 100, patience.ms))
  patience.ms -= wait
  await pause(wait)
  await refresh(scope, loaded)
}

/**
 * Writes a scope's snapshot anew if enough has changed since the last one, or that one is of no use; true when it did.
 * Another writer's newer snapshot is never overwritten. Where little has changed, neither snapshot nor wines are read.
 */
export const renewSnapshot = async (scope: Scope, patience: Patience = { ms: 2 * youngMs }): Promise<boolean> => {
  const glimpsed = await glance(scope)
  if (glimpsed && (await isFresh(scope, glimpsed))) return false
  const loaded = await loadSnapshot(scope)
  await refresh(scope, loaded)
  await untilSettled(scope, loaded, patience)
  return write(scope, loaded)
}
