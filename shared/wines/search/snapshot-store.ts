import { type Replacing, readFile, writeFile } from '../../files/files.ts'
import { createSearchIndex, type SearchIndex } from './engine/search-index.ts'
import { packSnapshot, unpackSnapshot } from './engine/snapshot-format.ts'
import type { Scope } from './scopes.ts'

/** An index in memory and how far it has read each feed. */
export type LoadedIndex = { index: SearchIndex; seen: number[] }

const keyOf = ({ name }: Scope): string => `snapshots/${name}`

const contentType = 'application/octet-stream'

// The versions stand before the bytes of the index: one line of JSON.
const pack = ({ index, seen }: LoadedIndex): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(seen)}\n`), packSnapshot(index)])

const unpack = (bytes: Buffer): LoadedIndex | undefined => {
  const end = bytes.indexOf('\n')
  const index = unpackSnapshot(bytes.subarray(end + 1))
  return index && { index, seen: JSON.parse(bytes.subarray(0, end).toString()) }
}

const empty = ({ feeds }: Scope): LoadedIndex => ({
  index: createSearchIndex(),
  seen: Array.from({ length: feeds }, () => 0),
})

/** A scope's index as its snapshot has it; empty when there is none that this code can read. */
export const loadSnapshot = async (scope: Scope): Promise<LoadedIndex & { replacing: Replacing }> => {
  const file = await readFile(keyOf(scope))
  const loaded = file && unpack(file.body)
  return { ...(loaded ?? empty(scope)), replacing: file ? { etag: file.etag } : 'nothing' }
}

/** Brings an index up to date; returns how many changes there were. */
export const refresh = async (scope: Scope, loaded: LoadedIndex): Promise<number> => {
  const feeds = await Promise.all(loaded.seen.map((version, feed) => scope.changesSince(feed, version)))
  // Only when all of a feed is in may its last version count as seen.
  loaded.index.apply(feeds.flat())
  feeds.forEach((changes, feed) => {
    loaded.seen[feed] = changes.reduce((last, { version }) => Math.max(last, version), loaded.seen[feed] ?? 0)
  })
  return feeds.reduce((sum, changes) => sum + changes.length, 0)
}

/** A snapshot is written anew when so many wines, or this part of them, have changed since. */
const worthAnew = (changes: number, size: number): boolean => changes >= Math.min(500, Math.max(20, size / 20))

/**
 * Writes a scope's snapshot anew if enough has changed since the last one; true when it did. Another writer's newer
 * snapshot is never overwritten.
 */
export const renewSnapshot = async (scope: Scope): Promise<boolean> => {
  const loaded = await loadSnapshot(scope)
  const changes = await refresh(scope, loaded)
  if (!worthAnew(changes, loaded.index.size)) return false
  return writeFile(keyOf(scope), pack(loaded), contentType, loaded.replacing)
}
