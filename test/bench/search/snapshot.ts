import { deserialize, serialize } from 'node:v8'
import type { Bits } from '../../../shared/wines/search/engine/bits.ts'
import { createSearchIndex, type SearchIndex } from '../../../shared/wines/search/engine/search-index.ts'
import { packSegment, unpackSegment } from '../../../shared/wines/search/engine/snapshot-format.ts'

type Packed = { version: number; parts: { segment: Buffer; gone: Bits }[] }

/** An index as the bytes of a snapshot: its pieces as the service packs them, in one file. */
export const packed = (index: SearchIndex): Buffer => {
  const parts = index.compact().map(({ segment, gone }) => ({ segment: packSegment(segment), gone }))
  return serialize({ version: index.version, parts } satisfies Packed)
}

/** The index of such bytes. */
export const unpacked = (bytes: Buffer): SearchIndex => {
  const { version, parts }: Packed = deserialize(bytes)
  // A copy, because what is deserialized may be a view of all the bytes, and would keep them.
  const living = parts.map(({ segment, gone }) => ({
    segment: unpackSegment(Buffer.from(segment)).segment,
    gone: gone.slice(),
  }))
  return createSearchIndex(living, version)
}
