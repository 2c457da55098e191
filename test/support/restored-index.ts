import { SearchIndex } from '../../shared/search/search-index.ts'
import { packSegment, unpackSegment } from '../../shared/search/snapshot-format.ts'

/** A copy of an index from its packed segments. */
export const restored = (index: SearchIndex): SearchIndex => {
  const parts = index.compact().map(({ segment, tombstones }) => ({
    segment: unpackSegment({ start: packSegment(segment) }).segment,
    tombstones: tombstones.slice(),
  }))
  return new SearchIndex(parts, index.version)
}
