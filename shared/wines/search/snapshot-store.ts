import { setTimeout as pause } from 'node:timers/promises'
import { type Replacing, readFile, writeFile } from '../../files/files.ts'
import { log } from '../../log.ts'
import { tableName } from '../../table/table.ts'
import type { SearchIndex } from './engine/search-index.ts'
import { packSnapshot, unpackSnapshot } from './engine/snapshot-format.ts'
import { readUpTo, settledVersion, youngMs } from './feed.ts'
import { emptyIndex, type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import { mostBytes, type SnapshotOf, seal, unseal } from './snapshot-envelope.ts'

const keyOf = ({ name }: Scope): string => `snapshots/${name}`

const contentType = 'application/octet-stream'

const snapshotOf = ({ name, feeds }: Scope): SnapshotOf => ({ table: tableName(), scope: name, feeds })

const pack = (scope: Scope, { index, feeds }: LoadedIndex): Buffer => {
  const state = { seen: feeds.map(settledVersion), high: feeds.map(({ high }) => high), size: index.size }
  return seal(snapshotOf(scope), state, packSnapshot(index))
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

/** An index, and what a new snapshot of its scope would replace. */
export type LoadedSnapshot = LoadedIndex & { replacing: Replacing }

/**
 * A scope's index as its snapshot has it; empty when there is none, or one that is damaged, of other code, or not of this
 * scope and table.
 */
export const loadSnapshot = async (scope: Scope): Promise<LoadedSnapshot> => {
  const file = await readFile(keyOf(scope), mostBytes)
  const loaded = file && unpack(scope, file.body)
  return { ...(loaded ?? emptyIndex(scope)), replacing: file ? { etag: file.etag } : 'nothing' }
}

/** A snapshot is written anew when so many wines, or this part of them, have changed since. */
const worthAnew = (changes: number, size: number): boolean => changes >= Math.min(500, Math.max(20, size / 20))

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
 * Another writer's newer snapshot is never overwritten.
 */
export const renewSnapshot = async (scope: Scope, patience: Patience = { ms: 2 * youngMs }): Promise<boolean> => {
  const loaded = await loadSnapshot(scope)
  const { index: restored, unproven } = loaded
  const changes = await refresh(scope, loaded)
  const isUseful = unproven !== undefined && loaded.index === restored
  const isBad = loaded.replacing !== 'nothing' && !isUseful
  if (!isBad && !worthAnew(changes, loaded.index.size)) return false
  await untilSettled(scope, loaded, patience)
  const packed = pack(scope, loaded)
  return packed.length <= mostBytes && writeFile(keyOf(scope), packed, contentType, loaded.replacing)
}
