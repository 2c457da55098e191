import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { checksumOf } from '../../files/files.ts'
import { bitsBetween, noBits, setBit } from './engine/bits.ts'
import { compress } from './engine/dictionary.ts'
import type { Living } from './engine/segment.ts'
import { packSegment, unpackSegment } from './engine/snapshot-format.ts'

/** A segment as it is kept: by a name that follows from its bytes, and the bytes themselves where they are at hand. */
export type Piece = { name: string; bytes?: Buffer | undefined }

/** Names a piece by its bytes; S3's checksum of them ends the name, so that a look at an object tells whether it is whole. */
export const pieceName = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 24) +
  Buffer.from(checksumOf(bytes), 'base64').toString('hex')

/** The checksum, as S3 writes it, of the bytes that a name is of. */
export const checksumIn = (name: string): string => Buffer.from(name.slice(-8), 'hex').toString('base64')

/** The piece of a segment. */
export const pieceOf = ({ segment }: Living): Piece => {
  const bytes = packSegment(segment)
  return { name: pieceName(bytes), bytes }
}

// So much of a snapshot comes with its list, at no request more; that is some 2,000 wines.
const mostWithin = 512 * 1024

/** The names of the pieces that the list itself holds: the smallest ones. */
export const withinList = (pieces: readonly Piece[]): Set<string> => {
  const names = new Set<string>()
  let room = mostWithin
  for (const { name, bytes } of pieces.toSorted((a, b) => (a.bytes?.length ?? 0) - (b.bytes?.length ?? 0))) {
    room -= bytes?.length ?? Number.POSITIVE_INFINITY
    if (room >= 0) names.add(name)
  }
  return names
}

/** A line of the list: a piece, the rows of it that are gone, and how many of its bytes follow the list, in its order. */
export type Line = { name: string; rows: number; gone: number[]; length: number }

/** The list of a snapshot's pieces, in bytes, with those among them that it holds itself. */
export const packList = (version: number, parts: readonly (Living & { piece: Piece })[]): Buffer => {
  const within = withinList(parts.map(({ piece }) => piece))
  const bytesOf = ({ name, bytes }: Piece) => (bytes && within.has(name) ? bytes : Buffer.alloc(0))
  const lines = parts.map(
    ({ segment, gone, piece }): Line => ({
      name: piece.name,
      rows: segment.ids.length,
      gone: bitsBetween(gone, 0, segment.ids.length),
      length: bytesOf(piece).length,
    }),
  )
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

/** The part of an index that a piece's bytes make. Throws where they are not the ones that its name is of. */
export const partOf = ({ name, rows, gone }: Line, bytes: Buffer): Living => {
  if (pieceName(bytes) !== name) throw new Error('a piece of a snapshot is damaged')
  const bits = noBits(rows)
  for (const row of gone) setBit(bits, row)
  return { segment: unpackSegment(bytes), gone: bits }
}
