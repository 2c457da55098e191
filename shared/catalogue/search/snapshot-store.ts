import { setTimeout as pause } from 'node:timers/promises'
import { checksumOf } from '../../platform/files/checksum.ts'
import {
  type FileHead,
  type Replacing,
  readFile,
  readHead,
  readRange,
  removeFile,
  writeFile,
} from '../../platform/files/files.ts'
import { log } from '../../platform/log.ts'
import { Unavailable } from '../../platform/table/failures.ts'
import { tableName } from '../../platform/table/table.ts'
import { createSearchIndex } from '../../search/search-index.ts'
import type { Living, Segment } from '../../search/segment.ts'
import { readUpTo, settledVersion, youngMs } from './feed.ts'
import { emptyIndex, type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import {
  headText,
  metadataOf,
  mostBytes,
  piecesNamed,
  readHeadText,
  type SnapshotOf,
  type SnapshotState,
  seal,
  snapshotLayout,
  unseal,
} from './snapshot-envelope.ts'
import { notePieces, removeNoted } from './snapshot-ledger.ts'
import {
  atOnce,
  checksumIn,
  type List,
  type Piece,
  packList,
  partOf,
  partRead,
  pieceOf,
  readList,
  withinList,
} from './snapshot-pieces.ts'

/**
 * The key of a scope's list; its pieces have keys below. Each layout has snapshots of its own, so that those of another
 * one, which functions of the release before still read, stay as they are.
 */
export const keyOf = ({ name }: Pick<Scope, 'name'>, layout = snapshotLayout): string => `snapshots/${layout}/${name}`
const pieceKeyOf = (scope: Scope, piece: string): string => `${keyOf(scope)}/${piece}`

const contentType = 'application/octet-stream'

const snapshotOf = ({ name, feeds }: Scope): SnapshotOf => ({ table: tableName(), scope: name, feeds })

/**
 * An index, what a new snapshot of its scope would replace, the pieces that are kept of its segments, and the names of all
 * pieces that are objects of their own, of whatever table and rules.
 */
export type LoadedSnapshot = LoadedIndex & { replacing: Replacing; pieces: Map<Segment, Piece>; former: string[] }

const stateOf = ({ index, feeds }: LoadedIndex, pieces: string[]): SnapshotState => ({
  seen: feeds.map(settledVersion),
  high: feeds.map(({ high }) => high),
  size: index.size,
  pieces,
})

// Pieces first, then the list that names them. The head stands beside the list as well, with the checksum of the bytes
// that it belongs to, so that a look at it tells how old they are. It is never more than a hint not to read them.
const write = async (scope: Scope, loaded: LoadedSnapshot): Promise<boolean> => {
  const parts = loaded.index
    .compact()
    .map(part => ({ ...part, piece: loaded.pieces.get(part.segment) ?? pieceOf(part) }))
  const within = withinList(parts.map(({ piece }) => piece))
  const beside = parts.map(({ piece }) => piece).filter(({ name }) => !within.has(name))
  const fresh = beside.flatMap(({ name, bytes }) => (bytes ? [{ name, bytes }] : []))
  if (fresh.some(({ bytes }) => bytes.length > mostBytes)) return false
  if (fresh.length > 0) {
    const writing = fresh.map(({ name }) => name)
    await notePieces(keyOf(scope), writing, new Set(loaded.former))
  }
  for (const { name, bytes } of fresh) {
    await writeFile(pieceKeyOf(scope, name), bytes, contentType, 'anything')
  }
  const names = beside.map(({ name }) => name)
  const [of, state] = [snapshotOf(scope), stateOf(loaded, names)]
  const sealed = seal(of, state, packList(loaded.index.version, parts))
  const metadata = metadataOf(headText(of, state), checksumOf(sealed))
  if (!(await writeFile(keyOf(scope), sealed, contentType, loaded.replacing, metadata))) return false
  // Who has just read the former list and does not find them any more reads the list again.
  const gone = loaded.former.filter(name => !names.includes(name))
  await Promise.all(gone.map(name => removeFile(pieceKeyOf(scope, name))))
  return true
}

const nothing = ({ feeds }: Scope): SnapshotState => {
  const none = Array.from({ length: feeds }, () => 0)
  return { seen: none, high: none, size: 0, pieces: [] }
}

const isWhole = async (scope: Scope, piece: string): Promise<boolean> =>
  (await readHead(pieceKeyOf(scope, piece)))?.checksum === checksumIn(piece)

/** What stands beside a scope's list; undefined when it is not of this list, or the list not of this scope and table. */
const stateBeside = (scope: Scope, { metadata, checksum }: FileHead): SnapshotState | undefined =>
  metadata.checksum === checksum ? readHeadText(metadata.head ?? '', snapshotOf(scope)) : undefined

/** Whether a scope has no snapshot of the present layout and table, as far as one look at its list tells. */
export const lacksSnapshot = async (scope: Scope): Promise<boolean> => {
  const head = await readHead(keyOf(scope))
  // A head that is too long to stand beside its list cannot be looked at.
  return !head || ('head' in head.metadata && !stateBeside(scope, head))
}

/** What a look beside a scope's snapshot tells of it; undefined when that one is not whole, or not of this scope. */
const glance = async (scope: Scope): Promise<SnapshotState | undefined> => {
  const head = await readHead(keyOf(scope))
  if (!head) return nothing(scope)
  const state = stateBeside(scope, head)
  const whole = await Promise.all((state?.pieces ?? []).map(piece => isWhole(scope, piece)))
  return whole.includes(false) ? undefined : state
}

type Read = Pick<LoadedSnapshot, 'index' | 'feeds' | 'unproven' | 'pieces'>
type ListedPiece = List['lines'][number]

/** Whether pieces are read as a whole, as who writes a snapshot needs them, or as far as searches do. */
export type Extent = 'whole' | 'as needed'

const readAsNeeded = async (scope: Scope, line: ListedPiece): Promise<Living | undefined> => {
  if (line.bytes || line.size <= atOnce.piece) return undefined
  const read = (from: number, to: number) => readRange(pieceKeyOf(scope, line.name), from, to)
  const start = await read(0, line.first)
  return start && partRead(line, { start, read })
}

const readPieces = async (scope: Scope, list: Buffer, { seen, high }: SnapshotState, extent: Extent): Promise<Read> => {
  const { version, lines } = readList(list)
  const pieces = new Map<Segment, Piece>()
  const parts = await Promise.all(
    lines.map(async line => {
      const begun = extent === 'whole' ? undefined : await readAsNeeded(scope, line)
      if (begun) return begun
      const { rows: _, tombstones: __, length: ___, ...piece } = line
      const found = line.bytes ?? (await readFile(pieceKeyOf(scope, line.name), mostBytes))?.body ?? Buffer.alloc(0)
      const { part, isKept } = partOf(line, found)
      if (isKept) pieces.set(part.segment, piece)
      return part
    }),
  )
  return { index: createSearchIndex(parts, version), feeds: seen.map(readUpTo), unproven: high, pieces }
}

// What has the right checksum and still cannot be read was written by other code, or has lost a piece.
const unpack = async (scope: Scope, bytes: Buffer, extent: Extent): Promise<Read | undefined> => {
  const unsealed = unseal(bytes, snapshotOf(scope))
  if (!unsealed) return undefined
  try {
    return await readPieces(scope, unsealed.index, unsealed, extent)
  } catch (error) {
    if (error instanceof Unavailable) throw error
    log.warn('a snapshot cannot be read', { scope: scope.name, error: (error as Error).name })
    return undefined
  }
}

/**
 * A scope's index as its snapshot has it; empty when there is none, or one that is damaged, of other code, or not of this
 * scope and table.
 */
export const loadSnapshot = async (
  scope: Scope,
  extent: Extent = 'whole',
  isAgain = false,
): Promise<LoadedSnapshot> => {
  const file = await readFile(keyOf(scope), mostBytes)
  if (!file) return { ...emptyIndex(scope), pieces: new Map(), former: [], replacing: 'nothing' }
  const loaded = await unpack(scope, file.body, extent)
  // Its pieces may have been replaced since the list was read.
  if (!loaded && !isAgain && (await readHead(keyOf(scope)))?.etag !== file.etag)
    return loadSnapshot(scope, extent, true)
  const read = loaded ?? { ...emptyIndex(scope), pieces: new Map() }
  return { ...read, former: piecesNamed(file.body), replacing: { etag: file.etag } }
}

/** Whether a scope has another snapshot by now than the one that was read. */
export const takesPlaceOf = async (scope: Scope, known: Replacing): Promise<boolean> => {
  const head = await readHead(keyOf(scope))
  return head !== undefined && !(typeof known === 'object' && known.etag === head.etag)
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

/** Removes a scope's snapshot of a layout that nobody reads any more. */
export const removeSnapshot = async (scope: Scope, layout: string): Promise<void> => {
  const folder = keyOf(scope, layout)
  const list = await readFile(folder, mostBytes)
  await Promise.all(piecesNamed(list?.body ?? Buffer.alloc(0)).map(name => removeFile(`${folder}/${name}`)))
  await removeNoted(folder)
  // The list last: as long as it is there, what it names can be found again.
  await removeFile(folder)
}
