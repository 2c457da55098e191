import { crc32 } from 'node:zlib'

/** A search needs a part of a piece that has not been read; it stands at the same place in all pieces. */
export class NotRead extends Error {
  readonly place: number

  constructor(place: number) {
    super(`part ${place} was not read`)
    this.place = place
  }
}

/** A part of a piece cannot be read any more, or is not what it was: other parts of that piece are of no use either. */
export class PieceLost extends Error {}

/** Where a piece comes from: its first bytes, and how others are read, which resolves with undefined when it is gone. */
export type Source = { start: Buffer; read?: (from: number, to: number) => Promise<Buffer | undefined> }

/** Where a part stands in its piece, in bytes, and the checksum of these. */
type Place = { from: number; to: number; checksum: number; packed?: Buffer | undefined }

/** How a piece's header tells of a part. */
export type PackedPart = { packed: number; checksum: number }

export const packedPart = (bytes: Buffer): PackedPart => ({ packed: bytes.length, checksum: crc32(bytes) })

/** The parts of a piece, packed, as far as they were read. */
export class PackedParts {
  readonly #places: Place[] = []
  readonly #read: Source['read']

  /** The parts of a piece that begin at a place of it, one after the other. */
  constructor({ start, read }: Source, begin: number, parts: readonly PackedPart[]) {
    this.#read = read
    let from = begin
    for (const { packed, checksum } of parts) {
      const to = from + packed
      // Copied, so that no part keeps all that was read in memory.
      const bytes = to <= start.length ? Buffer.from(start.subarray(from, to)) : undefined
      this.#places.push({ from, to, checksum, packed: bytes })
      from = to
    }
  }

  /** The number of parts. */
  get size(): number {
    return this.#places.length
  }

  #at(place: number): Place {
    const found = this.#places[place]
    if (!found) throw new RangeError(`there is no part ${place}`)
    return found
  }

  /** The bytes of a part. Throws NotRead. */
  bytes(place: number): Buffer {
    const { packed } = this.#at(place)
    if (!packed) throw new NotRead(place)
    return packed
  }

  /** How many bytes of a part are held. */
  held(place: number): number {
    return this.#at(place).packed?.length ?? 0
  }

  /** Lets the bytes of a part go, which was unpacked. */
  letGo(place: number): void {
    this.#at(place).packed = Buffer.alloc(0)
  }

  /** Reads a part, unless it is there. Rejects with PieceLost. */
  async load(place: number): Promise<void> {
    const found = this.#at(place)
    if (found.packed) return
    const bytes = await this.#read?.(found.from, found.to)
    if (!bytes || crc32(bytes) !== found.checksum) throw new PieceLost(`part ${place}`)
    found.packed = bytes
  }
}
