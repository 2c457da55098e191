import type { RecordsVersionItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, untilWritten } from '../platform/table/table.ts'

/** The place of the version of a kind of records, such as `products`. */
export const versionKey = (merchant: MerchantId, kind: string) => key('recordsVersion', { merchant, kind })

/** Waits until the records show that the last change wrote: its version may show before them. */
export const untilShownWhole = async ({ written }: Partial<RecordsVersionItem> = {}): Promise<void> => {
  if (written) await untilWritten(written.sks.map(sk => ({ pk: written.pk, sk })))
}

/**
 * The version of a kind of records; each change of a record raises it. Reads that follow see all changes up to that version.
 */
export const readRecordsVersion = async (merchant: MerchantId, kind: string): Promise<number> => {
  const item = await getItem(versionKey(merchant, kind))
  await untilShownWhole(item)
  return item?.version ?? 0
}
