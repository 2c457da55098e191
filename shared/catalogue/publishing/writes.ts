import { hasVersion } from '../../platform/table/expressions.ts'
import { retry } from '../../platform/table/failures.ts'
import type { PublicationItem, PublicWineItem } from '../../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItems } from '../../platform/table/table.ts'
import { type Action, maxActions, put, remove, transact, update } from '../../platform/table/transact.ts'
import { batchesOf } from '../../values/batches.ts'
import { publicText } from '../wines/quota-use.ts'
import { isPublic, publicWineOf, type StoredWine, shardOf } from '../wines/stored.ts'
import { maxTries } from '../wines/write.ts'

/** A wine whose public record changes, and its public item before (if it had any) and after. */
export type PublicChange = { wine: StoredWine; before: PublicWineItem | undefined; after: PublicWineItem }

const docIn = (item: PublicWineItem | undefined): string | undefined => (item && 'doc' in item ? item.doc : undefined)

/** The change that a wine's public record needs; undefined if none. */
const publicChangeOf = (wine: StoredWine, before: PublicWineItem | undefined): PublicChange | undefined => {
  const shown = isPublic(wine) ? publicText(wine) : undefined
  if (shown === docIn(before)) return undefined
  const after = shown === undefined ? ({ removed: true } as const) : { doc: shown }
  return { wine, before, after }
}

/** The changes that the public records of some wines need. */
export const publicChangesOf = async (wines: readonly StoredWine[]): Promise<PublicChange[]> => {
  const before = await getItems(wines.map(({ id }) => key('publicWine', { shard: shardOf(id), id })))
  return wines.flatMap((wine, n) => publicChangeOf(wine, before[n]) ?? [])
}

const slugActions = ({ wine: { id }, before, after }: PublicChange): Action[] => {
  const slugIn = (item: PublicWineItem | undefined): string | undefined =>
    item && 'doc' in item ? publicWineOf(item).path_segment : undefined
  const [had, has] = [slugIn(before), slugIn(after)]
  if (had === has) return []
  return [
    ...(had === undefined ? [] : [remove(`old slug ${id}`, key('publicSlug', { slug: had, id }))]),
    ...(has === undefined ? [] : [put(`slug ${id}`, key('publicSlug', { slug: has, id }), {})]),
  ]
}

const wineActions = (change: PublicChange, version: number): Action[] => {
  const { wine, before, after } = change
  const { id, hash } = wine
  const index = indexKey('publicWine', { version })
  return [
    put(`wine ${id}`, key('publicWine', { shard: shardOf(id), id }), after, { index }),
    ...slugActions(change),
    // It never changes, and stays: it leads to the tombstone.
    ...(before ? [] : [put(`hash ${id}`, key('publicHash', { hash }), { id })]),
  ]
}

// A transaction takes 4 MB; everything but the records is smaller than the rest.
const maxBytes = 3_500_000

/** The share of a transaction that a change takes: of its actions, of which two count versions, or of its bytes. */
const shareOf = (change: PublicChange): number =>
  Math.max(wineActions(change, 0).length / (maxActions - 2), Buffer.byteLength(docIn(change.after) ?? '') / maxBytes)

/** Changes in as few transactions as they fit in. */
export const inBatches = (changes: readonly PublicChange[]): PublicChange[][] => batchesOf(changes, 1, shareOf)

const publicationAction = (merchant: MerchantId, publication: PublicationItem): Action =>
  put('publication', key('publication', { merchant }), publication, { when: [hasVersion(publication.version - 1)] })

/** Writes the changes under the next versions of their partition. */
const shardActions = async (shard: number, changes: readonly PublicChange[]): Promise<Action[]> => {
  const counter = key('publicVersion', { shard })
  const seen = (await getItem(counter))?.version ?? 0
  return [
    update('shard', counter, { set: { version: seen + changes.length } }, [hasVersion(seen)]),
    ...changes.flatMap((change, n) => wineActions(change, seen + n + 1)),
  ]
}

/**
 * Writes public records of a merchant's wines, in one transaction with the progress of its publication. Retries when
 * another merchant of the partition was first. Throws TransactionRefused, for the reason `publication`, when another run
 * has published this catalogue meanwhile.
 */
export const writePublicChanges = async (
  merchant: MerchantId,
  changes: readonly PublicChange[],
  publication: PublicationItem,
): Promise<void> => {
  await retry(
    async () =>
      transact([
        publicationAction(merchant, publication),
        ...(changes.length > 0 ? await shardActions(shardOf(merchant), changes) : []),
      ]),
    error => !error.hasFailed('publication'),
    maxTries,
  )
}
