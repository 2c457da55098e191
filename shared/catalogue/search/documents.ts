import { LRUCache } from 'lru-cache'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getEntries } from '../../platform/table/table.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { feedVersion } from './feed.ts'

/** A wine's document as the table has it, as of a version of its feed. */
export type WineDocument = { version: number; doc: string }

type Kept = { version: number; bytes: Buffer }

// What was used most recently stays. Bytes take half the memory of a text, a third of what was parsed.
const maxBytes = 32 * 1024 * 1024

const documents = new LRUCache<string, Kept>({
  maxSize: maxBytes,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
})

const placeOf = (scope: string, id: number): string => `${scope} ${id}`

// A buffer of its own: a small one would be a part of a larger one, which it holds in memory.
const bytesOf = (doc: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(doc))
  bytes.write(doc)
  return bytes
}

/** Keeps a wine's document in this instance, unless it has that or a later one already. */
export const rememberDocument = (scope: string, id: number, { version, doc }: WineDocument): void => {
  const place = placeOf(scope, id)
  const known = documents.peek(place)
  if (!known || known.version < version) documents.set(place, { version, bytes: bytesOf(doc) })
}

/** A wine's document as of just this version of its feed, which makes it exact; undefined where it is not remembered. */
const documentAt = (scope: string, id: number, version: number): string | undefined => {
  const known = documents.get(placeOf(scope, id))
  return known?.version === version ? known.bytes.toString() : undefined
}

/**
 * The documents of a merchant's wines, in the order of their ids: from memory what is there as of the version that the
 * index has, the others from the table, as they are by now. What is gone is undefined.
 */
export const readDocuments = async (
  merchant: MerchantId,
  { name: scope }: { name: string },
  index: Pick<SearchIndex, 'versionOf'>,
  ids: readonly number[],
): Promise<(string | undefined)[]> => {
  const known = new Map(ids.map(id => [id, documentAt(scope, id, index.versionOf(id))]))
  const unknown = ids.filter(id => known.get(id) === undefined)
  const entries = await getEntries(unknown.map(id => key('wine', { merchant, id })))
  for (const [n, id] of unknown.entries()) {
    const entry = entries[n]
    if (!entry) continue
    // Under the version it has, which may be a later one than the index knows by now.
    rememberDocument(scope, id, { version: feedVersion(entry), doc: entry.item.doc })
    known.set(id, entry.item.doc)
  }
  return ids.map(id => known.get(id))
}
