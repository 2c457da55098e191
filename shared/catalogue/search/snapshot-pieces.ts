import { createHash } from 'node:crypto'
import { crc32, zstdDecompressSync } from 'node:zlib'
import { checksumOf } from '../../platform/files/checksum.ts'
import { type Bits, bitsBetween, noBits, setBit } from '../../search/bits.ts'
import { compress } from '../../search/dictionary.ts'
import type { Source } from '../../search/packed-parts.ts'
import { isInDefaultOrder, type LiveSegment, liveSegment, mergeSegments } from '../../search/segment.ts'
import { firstBytes, packSegment, unpackSegment } from '../../search/snapshot-format.ts'

/**
 * A packed segment: its name, which follows from its bytes; its size; how many of its bytes are read first and their
 * checksum; and the bytes themselves where they are in memory.
 */
export type Piece = { name: string; size: number; first: number; checksum: number; bytes?: Buffer | undefined }

/** The name of a piece. It ends with S3's checksum, so that the head of an object shows if it is whole. */
export const pieceName = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 24) +
  Buffer.from(checksumOf(bytes), 'base64').toString('hex')

/** The checksum, as S3 writes it, in the name of a piece. */
export const checksumIn = (name: string): string => Buffer.from(name.slice(-8), 'hex').toString('base64')

export const pieceOf = ({ segment }: LiveSegment): Piece => {
  const bytes = packSegment(segment)
  const first = firstBytes(bytes)
  return { name: pieceName(bytes), size: bytes.length, first, checksum: crc32(bytes.subarray(0, first)), bytes }
}

/**
 * The bytes that one request reads: of the pieces within a list, some 2,000 wines, and of a separate piece, which up to
 * this size takes no longer whole than in part. Tests set less.
 */
export const readSizes = { list: 512 * 1024, piece: 4 * 1024 * 1024 }

/** The names of the pieces that the list itself contains: the smallest of those in memory. */
export const withinList = (pieces: readonly Piece[]): Set<string> => {
  const inMemory = pieces.flatMap(({ name, bytes }) => (bytes ? [{ name, size: bytes.length }] : []))
  const names = new Set<string>()
  let left = readSizes.list
  for (const { name, size } of inMemory.toSorted((a, b) => a.size - b.size)) {
    left -= size
    if (left >= 0) names.add(name)
  }
  return names
}

/** A line of the list: a piece, its tombstones, and how many of its bytes follow the list, in its order. */
export type Line = Omit<Piece, 'bytes'> & { rows: number; tombstones: number[]; length: number }

/** The list of a snapshot's pieces, in bytes, followed by those that it contains itself. */
export const packList = (version: number, parts: readonly (LiveSegment & { piece: Piece })[]): Buffer => {
  const within = withinList(parts.map(({ piece }) => piece))
  const bytesOf = ({ name, bytes }: Piece) => (bytes && within.has(name) ? bytes : Buffer.alloc(0))
  const lines = parts.map(({ segment, tombstones, piece }): Line => {
    const { bytes: _, ...described } = piece
    const rows = segment.ids.length
    return { ...described, rows, tombstones: bitsBetween(tombstones, 0, rows), length: bytesOf(piece).length }
  })
  const list = compress(Buffer.from(JSON.stringify({ version, lines })))
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32LE(list.length)
  return Buffer.concat([prefix, list, ...parts.map(({ piece }) => bytesOf(piece))])
}

const maxListBytes = 64 * 1024 * 1024

/** A line with the bytes that the list has of its piece. */
export type ListedPiece = Line & { bytes: Buffer | undefined }

/** Reads a list. Throws if it is none. */
export const readList = (packed: Buffer): { version: number; lines: ListedPiece[] } => {
  let at = 4 + packed.readUInt32LE()
  const text = zstdDecompressSync(packed.subarray(4, at), { maxOutputLength: maxListBytes }).toString()
  const { version, lines } = JSON.parse(text) as { version: number; lines: Line[] }
  return {
    version,
    lines: lines.map(line => {
      at += line.length
      return { ...line, bytes: line.length > 0 ? Buffer.from(packed.subarray(at - line.length, at)) : undefined }
    }),
  }
}

const tombstonesOf = ({ rows, tombstones }: Line): Bits => {
  const bits = noBits(rows)
  for (const row of tombstones) setBit(bits, row)
  return bits
}

/**
 * The part of an index from the first bytes of a piece; the rest is read when a search needs it. Undefined if the whole
 * piece is needed to begin with. Throws if the bytes are damaged.
 */
export const partRead = (line: Line, source: Source): LiveSegment | undefined => {
  if (crc32(source.start) !== line.checksum) throw new Error('a piece of a snapshot is damaged')
  const { segment, isInOrder } = unpackSegment(source)
  return isInOrder ? { segment, tombstones: tombstonesOf(line) } : undefined
}

/**
 * The part of an index from a piece's bytes. `isKept` is false for a piece of another ICU, which is read whole each time
 * until it is written again. Throws if the bytes are damaged.
 */
export const partOf = (line: Line, bytes: Buffer): { part: LiveSegment; isKept: boolean } => {
  if (pieceName(bytes) !== line.name) throw new Error('a piece of a snapshot is damaged')
  const { segment, isInOrder } = unpackSegment({ start: bytes })
  const part = { segment, tombstones: tombstonesOf(line) }
  // Another ICU hardly ever sorts a catalogue differently, and the check takes a twentieth of the time of sorting.
  const isSorted = isInOrder || isInDefaultOrder(segment)
  return { part: isSorted ? part : liveSegment(mergeSegments([part])), isKept: isInOrder }
}
