import { type FileHead, type Replacing, readFile, readHead, readRange } from '../../platform/files/files.ts'
import { log } from '../../platform/log.ts'
import { Unavailable } from '../../platform/table/failures.ts'
import { tableName } from '../../platform/table/table.ts'
import { SearchIndex } from '../../search/search-index.ts'
import type { LiveSegment, Segment } from '../../search/segment.ts'
import { readUpTo } from './feed.ts'
import { emptyIndex, type LoadedIndex } from './refresh.ts'
import type { Scope } from './scopes.ts'
import {
  maxBytes,
  piecesNamed,
  readHeadText,
  type SnapshotOf,
  type SnapshotState,
  snapshotLayout,
  unseal,
} from './snapshot-envelope.ts'
import { type ListedPiece, type Piece, partOf, partRead, readList, readSizes } from './snapshot-pieces.ts'

/**
 * The key of a scope's list; its pieces have keys below. Each layout has snapshots of its own, so that those of the
 * previous release, which its functions still read, stay as they are.
 */
export const keyOf = ({ name }: Pick<Scope, 'name'>, layout = snapshotLayout): string => `snapshots/${layout}/${name}`
export const pieceKeyOf = (scope: Scope, piece: string): string => `${keyOf(scope)}/${piece}`

export const snapshotOf = ({ name, feeds }: Scope): SnapshotOf => ({ table: tableName(), scope: name, feeds })

/** An index from a snapshot, with the stored pieces of its segments. */
type ReadSnapshot = LoadedIndex & { pieces: Map<Segment, Piece> }

/**
 * A snapshot as a writer needs it to replace it: the object in its place, and `former`, the names of all pieces that are
 * objects of their own, of whatever table and rules.
 */
export type LoadedSnapshot = ReadSnapshot & { replacing: Replacing; former: string[] }

/** The state in the metadata of a scope's list; undefined if it is of other bytes, or of another scope or table. */
export const stateBeside = (scope: Scope, { metadata, checksum }: FileHead): SnapshotState | undefined =>
  metadata.checksum === checksum ? readHeadText(metadata.head ?? '', snapshotOf(scope)) : undefined

/** True if a scope has no snapshot of the present layout and table, judged by the head of its list. */
export const lacksSnapshot = async (scope: Scope): Promise<boolean> => {
  const head = await readHead(keyOf(scope))
  // A head that is too long for the metadata cannot be judged.
  return !head || ('head' in head.metadata && !stateBeside(scope, head))
}

/** Pieces are read whole, as a writer needs them, or in parts as searches need them. */
export type Extent = 'whole' | 'as needed'

const readAsNeeded = async (scope: Scope, line: ListedPiece): Promise<LiveSegment | undefined> => {
  if (line.bytes || line.size <= readSizes.piece) return undefined
  const read = (from: number, to: number) => readRange(pieceKeyOf(scope, line.name), from, to)
  const start = await read(0, line.first)
  return start && partRead(line, { start, read })
}

const readPieces = async (
  scope: Scope,
  list: Buffer,
  { seen, high }: SnapshotState,
  extent: Extent,
): Promise<ReadSnapshot> => {
  const { version, lines } = readList(list)
  const pieces = new Map<Segment, Piece>()
  const parts = await Promise.all(
    lines.map(async line => {
      const begun = extent === 'whole' ? undefined : await readAsNeeded(scope, line)
      if (begun) return begun
      const { rows: _, tombstones: __, length: ___, ...piece } = line
      const found = line.bytes ?? (await readFile(pieceKeyOf(scope, line.name), maxBytes))?.body ?? Buffer.alloc(0)
      const { part, isKept } = partOf(line, found)
      if (isKept) pieces.set(part.segment, piece)
      return part
    }),
  )
  return { index: new SearchIndex(parts, version), feeds: seen.map(readUpTo), unproven: high, pieces }
}

// Bytes of the right checksum that cannot be read were written by other code, or lack a piece.
const unpack = async (scope: Scope, bytes: Buffer, extent: Extent): Promise<ReadSnapshot | undefined> => {
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
 * A scope's index from its snapshot; empty if there is none, or if it is damaged, of other code, or of another scope or
 * table.
 */
export const loadSnapshot = async (
  scope: Scope,
  extent: Extent = 'whole',
  isSecondTry = false,
): Promise<LoadedSnapshot> => {
  const empty = { ...emptyIndex(scope), pieces: new Map() }
  const file = await readFile(keyOf(scope), maxBytes)
  if (!file) return { ...empty, former: [], replacing: 'only if absent' }
  const loaded = await unpack(scope, file.body, extent)
  // Its pieces may have been replaced since the list was read.
  if (!loaded && !isSecondTry && (await readHead(keyOf(scope)))?.etag !== file.etag)
    return loadSnapshot(scope, extent, true)
  return { ...(loaded ?? empty), former: piecesNamed(file.body), replacing: { etag: file.etag } }
}

/** True if a scope has another snapshot by now than when it was read. */
export const hasNewerSnapshot = async (scope: Scope, known: Replacing): Promise<boolean> => {
  const head = await readHead(keyOf(scope))
  return head !== undefined && !(typeof known === 'object' && known.etag === head.etag)
}
