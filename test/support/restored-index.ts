import { SearchIndex } from '../../shared/search/search-index.ts'
import { packSegment, unpackSegment } from '../../shared/search/snapshot-format.ts'

/** What an index is when its segments were packed, and unpacked again elsewhere. */
export const restored = (index: SearchIndex): SearchIndex => {
  const parts = index.compact().map(({ segment, tombstones }) => ({
    segment: unpackSegment({ start: packSegment(segment) }).segment,
    tombstones: tombstones.slice(),
  }))
  return new SearchIndex(parts, index.version)
}
