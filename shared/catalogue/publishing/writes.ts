import { hasVersion } from '../../platform/table/expressions.ts'
import { retrying } from '../../platform/table/failures.ts'
import type { PublicationItem, PublicWineItem } from '../../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItems } from '../../platform/table/table.ts'
import { type Action, maxActions, put, remove, transact, update } from '../../platform/table/transact.ts'
import { batchesOf } from '../../values/batches.ts'
import { publicText } from '../wines/amounts.ts'
import { manyTries } from '../wines/change.ts'
import { isPublic, publicWineOf, type StoredWine, shardOf } from '../wines/stored.ts'

/** A wine whose public record changes: as everybody saw it, if ever, and as everybody shall see it. */
export type Showing = { wine: StoredWine; before: PublicWineItem | undefined; after: PublicWineItem }

const docIn = (item: PublicWineItem | undefined): string | undefined => (item && 'doc' in item ? item.doc : undefined)

/** What everybody shall see of a wine; undefined where that changes nothing. */
const showingOf = (wine: StoredWine, before: PublicWineItem | undefined): Showing | undefined => {
  const shown = isPublic(wine) ? publicText(wine) : undefined
  if (shown === docIn(before)) return undefined
  const after = shown === undefined ? ({ removed: true } as const) : { doc: shown }
  return { wine, before, after }
}

/** Those of some wines whose public record is not as it should be. */
export const showingsOf = async (wines: readonly StoredWine[]): Promise<Showing[]> => {
  const before = await getItems(wines.map(({ id }) => key('publicWine', { shard: shardOf(id), id })))
  return wines.flatMap((wine, n) => showingOf(wine, before[n]) ?? [])
}

const slugActions = ({ wine: { id }, before, after }: Showing): Action[] => {
  const slugIn = (item: PublicWineItem | undefined): string | undefined =>
    item && 'doc' in item ? publicWineOf(item).path_segment : undefined
  const [had, has] = [slugIn(before), slugIn(after)]
  if (had === has) return []
  return [
    ...(had === undefined ? [] : [remove(`old slug ${id}`, key('publicSlug', { slug: had, id }))]),
    ...(has === undefined ? [] : [put(`slug ${id}`, key('publicSlug', { slug: has, id }), {})]),
  ]
}

const wineActions = (showing: Showing, version: number): Action[] => {
  const { wine, before, after } = showing
  const { id, hash } = wine
  const index = indexKey('publicWine', { version })
  return [
    put(`wine ${id}`, key('publicWine', { shard: shardOf(id), id }), after, { index }),
    ...slugActions(showing),
    // It never changes, and stays: who follows it finds the tombstone.
    ...(before ? [] : [put(`hash ${id}`, key('publicHash', { hash }), { id })]),
  ]
}

// A transaction holds 4 MB; what stands around the records takes less than the rest.
const mostBytes = 3_500_000

/** What part of a transaction a wine takes: of its actions, of which two count versions, or of its bytes. */
const shareOf = (showing: Showing): number =>
  Math.max(wineActions(showing, 0).length / (maxActions - 2), Buffer.byteLength(docIn(showing.after) ?? '') / mostBytes)

/** Showings in as few transactions as they fit in. */
export const inBatches = (showings: readonly Showing[]): Showing[][] => batchesOf(showings, 1, shareOf)

const publicationAction = (merchant: MerchantId, publication: PublicationItem): Action =>
  put('publication', key('publication', { merchant }), publication, { when: [hasVersion(publication.version - 1)] })

/** The wines under the next versions of their partition. */
const shardActions = async (shard: number, showings: readonly Showing[]): Promise<Action[]> => {
  const counter = key('publicVersion', { shard })
  const seen = (await getItem(counter))?.version ?? 0
  return [
    update('shard', counter, { set: { version: seen + showings.length } }, [hasVersion(seen)]),
    ...showings.flatMap((showing, n) => wineActions(showing, seen + n + 1)),
  ]
}

/**
 * Shows everybody some wines of a merchant, in one transaction with how far its catalogue is published by that: where
 * somebody else has published meanwhile, nothing is written. Merchants of one partition give way to one another. Throws
 * TransactionRefused, for the reason `publication`, when somebody else was first.
 */
export const writeShowings = async (
  merchant: MerchantId,
  showings: readonly Showing[],
  publication: PublicationItem,
): Promise<void> => {
  await retrying(
    async () =>
      transact([
        publicationAction(merchant, publication),
        ...(showings.length > 0 ? await shardActions(shardOf(merchant), showings) : []),
      ]),
    error => !error.failed('publication'),
    manyTries,
  )
}
