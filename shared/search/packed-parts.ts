import { crc32 } from 'node:zlib'

/** A search needs a part that was not read; it is at the same place in all pieces. */
export class NotRead extends Error {
  readonly place: number

  constructor(place: number) {
    super(`part ${place} was not read`)
    this.place = place
  }
}

/** A part of a piece no longer exists or is damaged: the other parts of that piece are useless as well. */
export class PieceLost extends Error {}

/** The first bytes of a piece, and a reader of others, which resolves with undefined if the piece no longer exists. */
export type Source = { start: Buffer; read?: (from: number, to: number) => Promise<Buffer | undefined> }

/** The position of a part in its piece, in bytes, their checksum, and the bytes if they were read. */
type PartBytes = { from: number; to: number; checksum: number; packed?: Buffer | undefined }

/** A part in the header of a piece. */
export type PackedPart = { packed: number; checksum: number }

export const packedPart = (bytes: Buffer): PackedPart => ({ packed: bytes.length, checksum: crc32(bytes) })

/** The packed parts of a piece, as far as they were read. */
export class PackedParts {
  readonly #places: PartBytes[] = []
  readonly #read: Source['read']

  /** The parts of a piece, in sequence from `begin` on. */
  constructor({ start, read }: Source, begin: number, parts: readonly PackedPart[]) {
    this.#read = read
    let from = begin
    for (const { packed, checksum } of parts) {
      const to = from + packed
      // Copied, so that no part keeps all bytes that were read in memory.
      const bytes = to <= start.length ? Buffer.from(start.subarray(from, to)) : undefined
      this.#places.push({ from, to, checksum, packed: bytes })
      from = to
    }
  }

  /** The number of parts. */
  get size(): number {
    return this.#places.length
  }

  #at(place: number): PartBytes {
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

  /** The bytes of a part in memory. */
  held(place: number): number {
    return this.#at(place).packed?.length ?? 0
  }

  /** Releases the bytes of a part that was unpacked. */
  letGo(place: number): void {
    this.#at(place).packed = Buffer.alloc(0)
  }

  /** Reads a part, unless it was read. Rejects with PieceLost. */
  async load(place: number): Promise<void> {
    const found = this.#at(place)
    if (found.packed) return
    const bytes = await this.#read?.(found.from, found.to)
    if (!bytes || crc32(bytes) !== found.checksum) throw new PieceLost(`part ${place}`)
    found.packed = bytes
  }
}
