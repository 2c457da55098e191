import { retrying } from '../../platform/table/failures.ts'
import type { PublicationItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems, type ReadOptions } from '../../platform/table/table.ts'
import { manyTries } from '../wines/change.ts'
import { isBehind, type Progress, readChanges } from './changes.ts'
import { inBatches, showingsOf, writeShowings } from './writes.ts'

/** What is left after a step: more that can be read now, perhaps something that is just being written, or nothing. */
export type Left = 'more' | 'unsure' | 'nothing'

// Longer than a request to the table may take: what was being written then has shown by now, or was refused.
const watchedMs = 3000

const textOf = ({ high, gaps }: Progress): string =>
  JSON.stringify([high, gaps.map(({ from, to, since }) => [from, to, since])])

const readState = async (
  merchant: MerchantId,
  reading?: ReadOptions,
): Promise<{ publication: PublicationItem; newest: number }> => {
  const keys = [key('publication', { merchant }), key('catalogue', { merchant })] as const
  const [publication, catalogue] = await getItems(keys, reading)
  return { publication: publication ?? { version: 0, high: 0, gaps: [] }, newest: catalogue?.version ?? 0 }
}

/**
 * Whether changes of a merchant's catalogue seem to be unpublished. The read is eventually consistent, at half the price:
 * publishNext decides by an exact one.
 */
export const hasUnpublished = async (merchant: MerchantId): Promise<boolean> => {
  const { publication, newest } = await readState(merchant, { eventual: true })
  return isBehind(publication, newest)
}

/** Whether something may appear soon in a gap: it was found so shortly ago that its transaction may be under way. */
const mayAppear = ({ gaps }: Progress): boolean => gaps.some(({ since }) => Date.now() - since < watchedMs)

const step = async (merchant: MerchantId): Promise<Left> => {
  const { publication: known, newest } = await readState(merchant)
  if (!isBehind(known, newest)) return 'nothing'
  const { wines, progress, isMore } = await readChanges(merchant, known, newest)
  const batches = inBatches(await showingsOf(wines))
  const last = batches.pop() ?? []
  let { version, high, gaps } = known
  // How far it is read holds with the last of them: who is stopped before that reads once more, and finds them written.
  for (const batch of batches) await writeShowings(merchant, batch, { version: ++version, high, gaps })
  if (last.length > 0 || textOf(known) !== textOf(progress))
    await writeShowings(merchant, last, { version: version + 1, ...progress })
  return isMore ? 'more' : mayAppear(progress) ? 'unsure' : 'nothing'
}

/**
 * Publishes the next changes of a merchant's catalogue, some hundred wines at most: everybody then sees them as they are.
 * It may run as often, as late and as many at a time as it likes: each change of a public record is written once, and an
 * older state never takes the place of a newer one.
 */
export const publishNext = (merchant: MerchantId): Promise<Left> =>
  retrying(
    () => step(merchant),
    error => error.failed('publication'),
    manyTries,
  )
