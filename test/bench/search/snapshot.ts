import { type FileHandle, open } from 'node:fs/promises'
import { type Bits, bitsBetween, noBits, setBit } from '../../../shared/search/bits.ts'
import { NotRead } from '../../../shared/search/packed-parts.ts'
import { SearchIndex } from '../../../shared/search/search-index.ts'
import type { LiveSegment } from '../../../shared/search/segment.ts'
import { firstBytes, packSegment, unpackSegment } from '../../../shared/search/snapshot-format.ts'

type Listed = { at: number; length: number; first: number; rows: number; tombstones: number[] }
type List = { version: number; parts: Listed[] }

/** An index as the bytes of a snapshot: the list and the packed pieces, in one file. */
export const packed = (index: SearchIndex): Buffer => {
  const pieces: Buffer[] = []
  let end = 0
  const parts = index.compact().map(({ segment, tombstones }): Listed => {
    const piece = packSegment(segment)
    pieces.push(piece)
    const [at, rows] = [end, segment.ids.length]
    end += piece.length
    return { at, length: piece.length, first: firstBytes(piece), rows, tombstones: bitsBetween(tombstones, 0, rows) }
  })
  const list = Buffer.from(JSON.stringify({ version: index.version, parts } satisfies List))
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32LE(list.length)
  return Buffer.concat([prefix, list, ...pieces])
}

const tombstonesOf = ({ rows, tombstones }: Listed): Bits => {
  const bits = noBits(rows)
  for (const row of tombstones) setBit(bits, row)
  return bits
}

/** The index in the bytes of a snapshot. */
export const unpacked = (bytes: Buffer): SearchIndex => {
  const start = 4 + bytes.readUInt32LE()
  const { version, parts }: List = JSON.parse(bytes.subarray(4, start).toString())
  const living = parts.map((part): LiveSegment => {
    const piece = bytes.subarray(start + part.at, start + part.at + part.length)
    return { segment: unpackSegment({ start: piece }).segment, tombstones: tombstonesOf(part) }
  })
  return new SearchIndex(living, version)
}

const readBytes = async (file: FileHandle, from: number, to: number): Promise<Buffer> => {
  const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
  return buffer
}

/** The index in a snapshot file, which reads each part when needed; `read` returns the number of bytes read. */
export const opened = async (path: string): Promise<{ index: SearchIndex; read: () => number }> => {
  const file = await open(path)
  let bytes = 0
  const read = (from: number, to: number): Promise<Buffer> => {
    bytes += to - from
    return readBytes(file, from, to)
  }
  const start = 4 + (await read(0, 4)).readUInt32LE()
  const { version, parts }: List = JSON.parse((await read(4, start)).toString())
  const living = await Promise.all(
    parts.map(async (part): Promise<LiveSegment> => {
      const from = start + part.at
      const source = {
        start: await read(from, from + part.first),
        read: (low: number, high: number) => read(from + low, from + high),
      }
      return { segment: unpackSegment(source).segment, tombstones: tombstonesOf(part) }
    }),
  )
  return { index: new SearchIndex(living, version), read: () => bytes }
}

/** Searches an index; reads the missing parts first, as the service does. */
export const asked = async <T>(index: SearchIndex, ask: () => T): Promise<T> => {
  for (;;) {
    try {
      return ask()
    } catch (error) {
      if (!(error instanceof NotRead)) throw error
      await index.load(error)
    }
  }
}
