import { LRUCache } from 'lru-cache'

/** A wine's document as the table has it, as of a version of its feed. */
export type WineDocument = { version: number; doc: string }

// In bytes of JSON. What was read most recently stays.
const maxBytes = 32 * 1024 * 1024

const documents = new LRUCache<string, WineDocument>({
  maxSize: maxBytes,
  sizeCalculation: ({ doc }) => Math.max(1, Buffer.byteLength(doc)),
})

const placeOf = (scope: string, id: number): string => `${scope} ${id}`

/** Keeps a wine's document in this instance, unless it knows a later one already. */
export const rememberDocument = (scope: string, id: number, document: WineDocument): void => {
  const place = placeOf(scope, id)
  const known = documents.peek(place)
  if (!known || known.version < document.version) documents.set(place, document)
}

/** A wine's document at just this version of its feed, if this instance has it: the version alone makes it exact. */
export const documentAt = (scope: string, id: number, version: number): string | undefined => {
  const known = documents.get(placeOf(scope, id))
  return known?.version === version ? known.doc : undefined
}
