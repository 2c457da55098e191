import { Problem } from '../../contract/errors.ts'
import { retrying } from '../../platform/table/failures.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import { type StoredWine, wineOf } from './stored.ts'
import { versionsIn, writeWines } from './write.ts'

/** How often a change of a catalogue is tried while others change it, too. */
export const manyTries = 40

/**
 * Changes one stored wine; `change` returns the wine as it shall be, or null to leave it. It is asked again with the
 * wine as it is then when somebody else was faster. The version is raised here. Throws wine_not_found.
 */
export const changeWine = (
  merchant: MerchantId,
  id: number,
  change: (wine: StoredWine) => Promise<StoredWine | null>,
): Promise<StoredWine> =>
  retrying(
    async () => {
      const [catalogue, item] = await getItems([key('catalogue', { merchant }), key('wine', { merchant, id })])
      if (!item) throw new Problem('wine_not_found')
      const before = wineOf(item)
      const wanted = await change(before)
      if (!wanted) return before
      const after = { ...wanted, version: before.version + 1 }
      await writeWines(merchant, [{ before, after }], versionsIn(catalogue))
      return after
    },
    () => true,
    manyTries,
  )
