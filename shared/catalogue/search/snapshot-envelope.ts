import { crc32 } from 'node:zlib'
import { layout } from '../../search/snapshot-format.ts'

/*
 * Magic number, checksum of all that follows, length of the head (4 bytes each); head (JSON); bytes of the index. One
 * checksum covers everything, so that no part of a damaged snapshot is used.
 */
const magic = 0x324b4e57
const prefixBytes = 12

/** Raise it when the arrangement above or the meaning of the head changes. */
const format = 2

// Without the version of Node: AWS updates it, function by function, without a deployment.
const rules = `${format} ${layout}`

/** Identifies, in 8 hexadecimal digits, everything that a snapshot must share with the code that reads it. */
export const snapshotLayout = crc32(rules).toString(16).padStart(8, '0')

/** The index that a snapshot is of: a table is known by its name, which is unique in its account and region. */
export type SnapshotOf = { table: string; scope: string; feeds: number }

/**
 * How far a snapshot has read each feed: up to `seen` it lacks nothing, `high` is its highest version; its number of wines;
 * and the names of its pieces that are objects of their own.
 */
export type SnapshotState = { seen: number[]; high: number[]; size: number; pieces: string[] }

type Head = SnapshotOf & SnapshotState & { rules: string }

/** The most bytes of an object of a snapshot. */
export const maxBytes = 256 * 1024 * 1024

const isVersions = (value: unknown, feeds: number): value is number[] =>
  Array.isArray(value) && value.length === feeds && value.every(one => Number.isSafeInteger(one) && one >= 0)

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string' && /^[0-9a-f]{32}$/.test(one))

const stateIn = ({ seen, high, size, pieces }: Partial<Head>, feeds: number): SnapshotState | undefined =>
  isVersions(seen, feeds) && isVersions(high, feeds) && Number.isSafeInteger(size) && isNames(pieces)
    ? { seen, high, size: Number(size), pieces }
    : undefined

/** The head of a snapshot as text. */
export const headText = ({ table, scope, feeds }: SnapshotOf, { seen, high, size, pieces }: SnapshotState): string =>
  JSON.stringify({ rules, table, scope, feeds, seen, high, size, pieces } satisfies Head)

// S3 takes 2 KB of metadata, names and all.
const maxMetadata = 1_900

/**
 * The metadata of a snapshot's list. A longer head is left out, and the list must be read instead: that takes some 45
 * pieces, of which merging leaves no more than three of a size.
 */
export const metadataOf = (head: string, checksum: string): Record<string, string> =>
  Buffer.byteLength(head) > maxMetadata ? { checksum } : { head, checksum }

/** The state in the text of a head; undefined unless it is of this index, by the present rules. */
export const readHeadText = (text: string, of: SnapshotOf): SnapshotState | undefined => {
  try {
    const head = JSON.parse(text) as Partial<Head>
    const isIts = head.table === of.table && head.scope === of.scope && head.feeds === of.feeds && head.rules === rules
    return isIts ? stateIn(head, of.feeds) : undefined
  } catch {
    return undefined
  }
}

/** The names of the pieces in the text of a head, by whatever rules; none if it is no such text. */
const piecesOf = (head: string): string[] => {
  try {
    const { pieces } = JSON.parse(head)
    return isNames(pieces) ? pieces : []
  } catch {
    return []
  }
}

/** The names of the pieces in a sealed list, by whatever rules; none if it is damaged. */
export const piecesNamed = (sealed: Buffer): string[] =>
  sealed.length > prefixBytes && sealed.readUInt32LE(0) === magic
    ? piecesOf(sealed.subarray(prefixBytes, prefixBytes + sealed.readUInt32LE(8)).toString())
    : []

/** The index's bytes with their head, under one checksum. */
export const seal = (of: SnapshotOf, state: SnapshotState, index: Uint8Array): Buffer => {
  const head = Buffer.from(headText(of, state))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(magic, 0)
  prefix.writeUInt32LE(head.length, 8)
  const sealed = Buffer.concat([prefix, head, index])
  sealed.writeUInt32LE(crc32(sealed.subarray(8)), 4)
  return sealed
}

/** State and bytes of a sealed index; undefined if anything is damaged, or of another index, table or rule. */
export const unseal = (sealed: Buffer, of: SnapshotOf): (SnapshotState & { index: Buffer }) | undefined => {
  const isWhole =
    sealed.length > prefixBytes &&
    sealed.readUInt32LE(0) === magic &&
    sealed.readUInt32LE(4) === crc32(sealed.subarray(8))
  if (!isWhole) return undefined
  const end = prefixBytes + sealed.readUInt32LE(8)
  const state = readHeadText(sealed.subarray(prefixBytes, end).toString(), of)
  return state && { ...state, index: sealed.subarray(end) }
}
