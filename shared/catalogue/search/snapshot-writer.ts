import { setTimeout as pause } from 'node:timers/promises'
import { checksumOf } from '../../platform/files/checksum.ts'
import { readFile, readHead, removeFile, writeFile } from '../../platform/files/files.ts'
import { settledVersion, youngMs } from './feed.ts'
import { type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import { headText, maxBytes, metadataOf, piecesNamed, type SnapshotState, seal } from './snapshot-envelope.ts'
import { checksumIn, packList, pieceOf, withinList } from './snapshot-pieces.ts'
import { keyOf, type LoadedSnapshot, loadSnapshot, pieceKeyOf, snapshotOf, stateBeside } from './snapshot-store.ts'

/*
 * The ledger of a snapshot's folder. Pieces are written before the list that names them. A writer that ends in between,
 * or whose list comes too late, leaves pieces that no list names, and no function has the right to list the bucket. So
 * each writer first notes the pieces that it is going to write; later writers remove those that were noted long ago and
 * are in no list.
 */

/** The times at which pieces were noted, in epoch milliseconds, by name. */
type Ledger = Record<string, number>

const ledgerKeyOf = (folder: string): string => `${folder}/written`

// Far longer than a writer runs: a piece that was noted so long ago is in its list by now, or never will be.
const settledMs = 60 * 60 * 1000

const maxLedgerBytes = 1024 * 1024

const readLedger = async (folder: string): Promise<Ledger> => {
  try {
    return JSON.parse((await readFile(ledgerKeyOf(folder), maxLedgerBytes))?.body.toString() || '{}') ?? {}
  } catch (error) {
    // The pieces of a damaged ledger stay for good.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Notes pieces before they are written, and removes those that were noted long ago and are not `listed`. */
const notePieces = async (folder: string, names: readonly string[], listed: Set<string>): Promise<void> => {
  const now = Date.now()
  const noted = Object.entries(await readLedger(folder))
  const lost = noted.filter(([name, since]) => now - since > settledMs && !listed.has(name) && !names.includes(name))
  await Promise.all(lost.map(([name]) => removeFile(`${folder}/${name}`)))
  const young = noted.filter(([, since]) => now - since <= settledMs)
  const ledger: Ledger = { ...Object.fromEntries(young), ...Object.fromEntries(names.map(name => [name, now])) }
  await writeFile(ledgerKeyOf(folder), Buffer.from(JSON.stringify(ledger)), 'application/json', 'anything')
}

const contentType = 'application/octet-stream'

const stateOf = ({ index, feeds }: LoadedIndex, pieces: string[]): SnapshotState => ({
  seen: feeds.map(settledVersion),
  high: feeds.map(({ high }) => high),
  size: index.size,
  pieces,
})

/**
 * Writes the pieces, then the list that names them. The head is stored in the metadata of the list as well, with the
 * checksum of the bytes that it belongs to: so their age is known without reading them.
 */
const write = async (scope: Scope, loaded: LoadedSnapshot): Promise<boolean> => {
  const parts = loaded.index
    .compact()
    .map(part => ({ ...part, piece: loaded.pieces.get(part.segment) ?? pieceOf(part) }))
  const within = withinList(parts.map(({ piece }) => piece))
  const separate = parts.map(({ piece }) => piece).filter(({ name }) => !within.has(name))
  const fresh = separate.flatMap(({ name, bytes }) => (bytes ? [{ name, bytes }] : []))
  if (fresh.some(({ bytes }) => bytes.length > maxBytes)) return false
  const freshNames = fresh.map(({ name }) => name)
  if (fresh.length > 0) await notePieces(keyOf(scope), freshNames, new Set(loaded.former))
  for (const { name, bytes } of fresh) await writeFile(pieceKeyOf(scope, name), bytes, contentType, 'anything')
  const names = separate.map(({ name }) => name)
  const [of, state] = [snapshotOf(scope), stateOf(loaded, names)]
  const sealed = seal(of, state, packList(loaded.index.version, parts))
  const metadata = metadataOf(headText(of, state), checksumOf(sealed))
  if (!(await writeFile(keyOf(scope), sealed, contentType, loaded.replacing, metadata))) return false
  // A reader of the former list that no longer finds them reads the list again.
  const merged = loaded.former.filter(name => !names.includes(name))
  await Promise.all(merged.map(name => removeFile(pieceKeyOf(scope, name))))
  return true
}

const isWhole = async (scope: Scope, piece: string): Promise<boolean> =>
  (await readHead(pieceKeyOf(scope, piece)))?.checksum === checksumIn(piece)

/** The state of a scope's snapshot by the heads of its objects; undefined if it is not whole, or not of this scope. */
const stateByHeads = async (scope: Scope): Promise<SnapshotState | undefined> => {
  const head = await readHead(keyOf(scope))
  if (!head) {
    const none = Array.from({ length: scope.feeds }, () => 0)
    return { seen: none, high: none, size: 0, pieces: [] }
  }
  const state = stateBeside(scope, head)
  const whole = await Promise.all((state?.pieces ?? []).map(piece => isWhole(scope, piece)))
  return whole.includes(false) ? undefined : state
}

/** A snapshot is written again after so many changes, or as many as this share of its wines. */
const isWorthIt = (changes: number, size: number): boolean => changes >= Math.min(500, Math.max(20, size / 20))

/** True if the feeds' newest versions alone show that there is nothing to do. */
const isFresh = async (scope: Scope, state: SnapshotState): Promise<boolean> => {
  const newest = await Promise.all(state.seen.map((_, feed) => scope.newest(feed)))
  const isAhead = newest.some((version, feed) => version < (state.high[feed] ?? 0))
  const changes = newest.reduce((sum, version, feed) => sum + version - (state.seen[feed] ?? 0), 0)
  return !isAhead && !isWorthIt(changes, state.size)
}

/** The milliseconds that are left to wait for feeds to settle; one run of a job has them for all its scopes. */
export type Patience = { ms: number }

// A snapshot lacks nothing up to its `seen`: gaps below must have been filled, or be old enough to stay empty.
const untilSettled = async (scope: Scope, loaded: LoadedIndex, patience: Patience): Promise<void> => {
  if (loaded.feeds.every(({ gaps }) => gaps.length === 0)) return
  const wait = Math.max(0, Math.min(youngMs + 100, patience.ms))
  patience.ms -= wait
  await pause(wait)
  await refresh(scope, loaded)
}

/**
 * Writes a scope's snapshot if enough has changed since the last snapshot, or that is of no use; returns true if it did.
 * Another writer's newer snapshot is never overwritten. Where little has changed, neither snapshot nor wines are read.
 */
export const renewSnapshot = async (scope: Scope, patience: Patience = { ms: 2 * youngMs }): Promise<boolean> => {
  const known = await stateByHeads(scope)
  if (known && (await isFresh(scope, known))) return false
  const loaded = await loadSnapshot(scope)
  await refresh(scope, loaded)
  await untilSettled(scope, loaded, patience)
  return write(scope, loaded)
}

/** Removes a scope's snapshot of an outdated layout, with all pieces that it or its ledger names. */
export const removeSnapshot = async (scope: Scope, layout: string): Promise<void> => {
  const folder = keyOf(scope, layout)
  const list = await readFile(folder, maxBytes)
  const names = [...piecesNamed(list?.body ?? Buffer.alloc(0)), ...Object.keys(await readLedger(folder))]
  await Promise.all(names.map(name => removeFile(`${folder}/${name}`)))
  await removeFile(ledgerKeyOf(folder))
  // The list last: as long as it exists, its pieces can be found again.
  await removeFile(folder)
}
