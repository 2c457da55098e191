import { createSearchIndex, type SearchIndex } from '../../shared/wines/search/engine/search-index.ts'
import { packSegment, unpackSegment } from '../../shared/wines/search/engine/snapshot-format.ts'

/** What an index is when its segments were packed, and unpacked again elsewhere. */
export const restored = (index: SearchIndex): SearchIndex => {
  const parts = index.compact().map(({ segment, gone }) => ({
    segment: unpackSegment({ start: packSegment(segment) }).segment,
    gone: gone.slice(),
  }))
  return createSearchIndex(parts, index.version)
}
