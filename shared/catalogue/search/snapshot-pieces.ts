import { createHash } from 'node:crypto'
import { crc32, zstdDecompressSync } from 'node:zlib'
import { checksumOf } from '../../platform/files/checksum.ts'
import { type Bits, bitsBetween, noBits, setBit } from '../../search/bits.ts'
import { compress } from '../../search/dictionary.ts'
import type { Source } from '../../search/packed-parts.ts'
import { isInDefaultOrder, type Living, livingOf, mergeSegments } from '../../search/segment.ts'
import { firstBytes, packSegment, unpackSegment } from '../../search/snapshot-format.ts'

/**
 * A segment as it is kept: by a name that follows from its bytes, its size, how many of its bytes are read first and their
 * checksum, and the bytes themselves where they are at hand.
 */
export type Piece = { name: string; size: number; first: number; checksum: number; bytes?: Buffer | undefined }

/** Names a piece by its bytes; S3's checksum of them ends the name, so that a look at an object tells whether it is whole. */
export const pieceName = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 24) +
  Buffer.from(checksumOf(bytes), 'base64').toString('hex')

/** The checksum, as S3 writes it, of the bytes that a name is of. */
export const checksumIn = (name: string): string => Buffer.from(name.slice(-8), 'hex').toString('base64')

/** The piece of a segment. */
export const pieceOf = ({ segment }: Living): Piece => {
  const bytes = packSegment(segment)
  const first = firstBytes(bytes)
  return { name: pieceName(bytes), size: bytes.length, first, checksum: crc32(bytes.subarray(0, first)), bytes }
}

/**
 * Bytes that one request reads: the pieces within a list, some 2,000 wines, and a piece of its own, which takes no longer
 * as a whole than a part of it. Tests set less.
 */
export const atOnce = { list: 512 * 1024, piece: 4 * 1024 * 1024 }

/** The names of the pieces that the list itself holds: the smallest ones of those at hand. The others stay beside it. */
export const withinList = (pieces: readonly Piece[]): Set<string> => {
  const atHand = pieces.flatMap(({ name, bytes }) => (bytes ? [{ name, size: bytes.length }] : []))
  const names = new Set<string>()
  let room = atOnce.list
  for (const { name, size } of atHand.toSorted((a, b) => a.size - b.size)) {
    room -= size
    if (room >= 0) names.add(name)
  }
  return names
}

/** A line of the list: a piece, its tombstones, and how many of its bytes follow the list, in its order. */
export type Line = Omit<Piece, 'bytes'> & { rows: number; tombstones: number[]; length: number }

/** The list of a snapshot's pieces, in bytes, with those among them that it holds itself. */
export const packList = (version: number, parts: readonly (Living & { piece: Piece })[]): Buffer => {
  const within = withinList(parts.map(({ piece }) => piece))
  const bytesOf = ({ name, bytes }: Piece) => (bytes && within.has(name) ? bytes : Buffer.alloc(0))
  const lines = parts.map(({ segment, tombstones, piece }): Line => {
    const { bytes: _, ...told } = piece
    const rows = segment.ids.length
    return { ...told, rows, tombstones: bitsBetween(tombstones, 0, rows), length: bytesOf(piece).length }
  })
  const list = compress(Buffer.from(JSON.stringify({ version, lines })))
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32LE(list.length)
  return Buffer.concat([prefix, list, ...parts.map(({ piece }) => bytesOf(piece))])
}

const mostListBytes = 64 * 1024 * 1024

/** A snapshot of which pieces are still to be read. */
export type List = { version: number; lines: (Line & { bytes: Buffer | undefined })[] }

/** Reads a list. Throws what tells that it is none. */
export const readList = (packed: Buffer): List => {
  let at = 4 + packed.readUInt32LE()
  const text = zstdDecompressSync(packed.subarray(4, at), { maxOutputLength: mostListBytes }).toString()
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
 * The part of an index that the first bytes of a piece make; what it lacks is read when it is asked for. Undefined where
 * all of the piece is needed to begin with. Throws where the bytes are not those that were packed.
 */
export const partRead = (line: Line, source: Source): Living | undefined => {
  if (crc32(source.start) !== line.checksum) throw new Error('a piece of a snapshot is damaged')
  const { segment, isInOrder } = unpackSegment(source)
  return isInOrder ? { segment, tombstones: tombstonesOf(line) } : undefined
}

/**
 * The part of an index that a piece's bytes make. `isKept` is false for a piece of another ICU, which is read as a whole
 * each time until it is written anew. Throws if the bytes are not the ones of the piece's name.
 */
export const partOf = (line: Line, bytes: Buffer): { part: Living; isKept: boolean } => {
  if (pieceName(bytes) !== line.name) throw new Error('a piece of a snapshot is damaged')
  const { segment, isInOrder } = unpackSegment({ start: bytes })
  const part = { segment, tombstones: tombstonesOf(line) }
  // Another ICU hardly ever sorts a catalogue otherwise, and to look takes a twentieth of the time of sorting.
  const isSorted = isInOrder || isInDefaultOrder(segment)
  return { part: isSorted ? part : livingOf(mergeSegments([part])), isKept: isInOrder }
}
