import { retry } from '../../platform/table/failures.ts'
import type { PublicationItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems, type ReadOptions } from '../../platform/table/table.ts'
import { maxTries } from '../wines/write.ts'
import { isBehind, type Progress, readChanges } from './changes.ts'
import { inBatches, publicChangesOf, writePublicChanges } from './writes.ts'

/** The rest after a step: more to read now, possibly a transaction in progress, or nothing. */
export type Remaining = 'more' | 'unsure' | 'nothing'

// Longer than a request to the table may take: a transaction that was in progress has ended by then.
const watchedMs = 3000

const textOf = ({ high, gaps }: Progress): string =>
  JSON.stringify([high, gaps.map(({ from, to, since }) => [from, to, since])])

const readState = async (
  merchant: MerchantId,
  options?: ReadOptions,
): Promise<{ publication: PublicationItem; newest: number }> => {
  const keys = [key('publication', { merchant }), key('catalogue', { merchant })] as const
  const [publication, catalogue] = await getItems(keys, options)
  return { publication: publication ?? { version: 0, high: 0, gaps: [] }, newest: catalogue?.version ?? 0 }
}

/**
 * True if changes of a merchant's catalogue seem to be unpublished. An eventually consistent read, at half the price:
 * publishNext decides by a strongly consistent read.
 */
export const hasUnpublished = async (merchant: MerchantId): Promise<boolean> => {
  const { publication, newest } = await readState(merchant, { eventual: true })
  return isBehind(publication, newest)
}

/** True if a gap is so young that its transaction may be in progress. */
const mayBeFilled = ({ gaps }: Progress): boolean => gaps.some(({ since }) => Date.now() - since < watchedMs)

const step = async (merchant: MerchantId): Promise<Remaining> => {
  const { publication: known, newest } = await readState(merchant)
  if (!isBehind(known, newest)) return 'nothing'
  const { wines, progress, isMore } = await readChanges(merchant, known, newest)
  const batches = inBatches(await publicChangesOf(wines))
  const last = batches.pop() ?? []
  let { version, high, gaps } = known
  // The progress is written with the last batch: a run that is stopped before it reads the same changes again, and finds
  // them written.
  for (const batch of batches) await writePublicChanges(merchant, batch, { version: ++version, high, gaps })
  if (last.length > 0 || textOf(known) !== textOf(progress))
    await writePublicChanges(merchant, last, { version: version + 1, ...progress })
  return isMore ? 'more' : mayBeFilled(progress) ? 'unsure' : 'nothing'
}

/**
 * Publishes the next changes of a merchant's catalogue, some hundred wines at most. Idempotent, and safe to run late and
 * concurrently: each change of a public record is written once, and an older state never replaces a newer state.
 */
export const publishNext = (merchant: MerchantId): Promise<Remaining> =>
  retry(
    () => step(merchant),
    error => error.hasFailed('publication'),
    maxTries,
  )
