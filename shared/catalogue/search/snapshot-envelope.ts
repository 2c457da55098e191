import { crc32 } from 'node:zlib'
import { layout } from '../../search/snapshot-format.ts'

/*
 * mark, checksum of all that follows, length of the head (4 bytes each); head (JSON); bytes of the index. One checksum
 * stands over everything, so that no part of a snapshot can be believed beside a damaged one.
 */
const mark = 0x324b4e57
const prefixBytes = 12

/** Raise it when the arrangement above or the meaning of the head changes. */
const format = 2

// Nothing of the Node that runs: AWS updates it, function by function, without a deployment.
const rules = `${format} ${layout}`

/** Names all that a snapshot must share with the code that reads it, in 8 hexadecimal digits. */
export const snapshotLayout = crc32(rules).toString(16).padStart(8, '0')

/** Which index a snapshot is of: a table is known by its name, which no other has in its account and region. */
export type SnapshotOf = { table: string; scope: string; feeds: number }

/**
 * How far a snapshot has read each feed: `seen` is the version up to which it lacks nothing, `high` the highest it has;
 * of how many wines it is; and the names of its pieces that are objects of their own.
 */
export type SnapshotState = { seen: number[]; high: number[]; size: number; pieces: string[] }

type Head = SnapshotOf & SnapshotState & { rules: string }

/** A snapshot is no larger than this, in bytes. */
export const mostBytes = 256 * 1024 * 1024

const isVersions = (value: unknown, feeds: number): value is number[] =>
  Array.isArray(value) && value.length === feeds && value.every(one => Number.isSafeInteger(one) && one >= 0)

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string' && /^[0-9a-f]{32}$/.test(one))

const stateIn = ({ seen, high, size, pieces }: Partial<Head>, feeds: number): SnapshotState | undefined =>
  isVersions(seen, feeds) && isVersions(high, feeds) && Number.isSafeInteger(size) && isNames(pieces)
    ? { seen, high, size: Number(size), pieces }
    : undefined

/** The head of a snapshot as text; its checksum tells whether a text is still whole. */
export const headText = ({ table, scope, feeds }: SnapshotOf, { seen, high, size, pieces }: SnapshotState): string =>
  JSON.stringify({ rules, table, scope, feeds, seen, high, size, pieces } satisfies Head)

// S3 takes 2 KB of metadata, names and all.
const mostMetadata = 1_900

/**
 * What stands beside a snapshot. A head that is too long for that is left out: then whoever looks at it reads the snapshot
 * itself. That is one of some 45 pieces, of which merging leaves no more than three of a size.
 */
export const metadataOf = (head: string, checksum: string): Record<string, string> =>
  Buffer.byteLength(head) > mostMetadata ? { checksum } : { head, checksum }

/** What the text of a head tells; undefined unless it is one of this index, by the present rules. */
export const readHeadText = (text: string, of: SnapshotOf): SnapshotState | undefined => {
  try {
    const head = JSON.parse(text) as Partial<Head>
    const isIts = head.table === of.table && head.scope === of.scope && head.feeds === of.feeds && head.rules === rules
    return isIts ? stateIn(head, of.feeds) : undefined
  } catch {
    return undefined
  }
}

/** The names of the pieces in the text of a head, by whatever rules; none in what is no such text. */
const piecesOf = (head: string): string[] => {
  try {
    const { pieces } = JSON.parse(head)
    return isNames(pieces) ? pieces : []
  } catch {
    return []
  }
}

/** The names of the pieces that a sealed list names, by whatever rules; none when it is damaged. */
export const piecesNamed = (sealed: Buffer): string[] =>
  sealed.length > prefixBytes && sealed.readUInt32LE(0) === mark
    ? piecesOf(sealed.subarray(prefixBytes, prefixBytes + sealed.readUInt32LE(8)).toString())
    : []

/** The index's bytes with all that must be known of them, under one checksum. */
export const seal = (of: SnapshotOf, state: SnapshotState, index: Uint8Array): Buffer => {
  const head = Buffer.from(headText(of, state))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(mark, 0)
  prefix.writeUInt32LE(head.length, 8)
  const sealed = Buffer.concat([prefix, head, index])
  sealed.writeUInt32LE(crc32(sealed.subarray(8)), 4)
  return sealed
}

/** What was sealed; undefined if anything of it is damaged, or if it is of another index, table or rule. */
export const unseal = (sealed: Buffer, of: SnapshotOf): (SnapshotState & { index: Buffer }) | undefined => {
  const isWhole =
    sealed.length > prefixBytes &&
    sealed.readUInt32LE(0) === mark &&
    sealed.readUInt32LE(4) === crc32(sealed.subarray(8))
  if (!isWhole) return undefined
  const end = prefixBytes + sealed.readUInt32LE(8)
  const state = readHeadText(sealed.subarray(prefixBytes, end).toString(), of)
  return state && { ...state, index: sealed.subarray(end) }
}
