import { productAction } from '../../catalogue/products/edit.ts'
import { productOf } from '../../catalogue/products/stored.ts'
import { raiseFrom, raiseWineries } from '../../catalogue/record-versions.ts'
import { readRecordsVersion } from '../../catalogue/versions.ts'
import { changeWine } from '../../catalogue/wines/write.ts'
import { recordMissing } from '../../contract/routes/files.ts'
import { present } from '../../platform/table/expressions.ts'
import { retry } from '../../platform/table/failures.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { type Action, transact, update } from '../../platform/table/transact.ts'
import type { PictureKind } from '../../values/picture-name.ts'
import { timestamp } from '../../values/time.ts'

const now = (): string => timestamp(Date.now())

type Write = (merchant: MerchantId, id: number, image: string) => Promise<Action[]>

const writes: Record<Exclude<PictureKind, 'wine'>, Write> = {
  product: async (merchant, id, image) => {
    const item = await getItem(key('product', { merchant, id }))
    if (!item) throw recordMissing()
    return [productAction(merchant, item.version, { ...productOf(item), image, chstamp: now() })]
  },
  winery: async (merchant, id, image) => {
    const place = key('winery', { merchant, id })
    if (!(await getItem(place))) throw recordMissing()
    const action = update('winery', place, { set: { image, chstamp: now() } }, [present])
    return [raiseWineries(merchant, [action]), action]
  },
  category: async (merchant, id, image) => {
    const place = key('category', { merchant, id })
    const seen = await readRecordsVersion(merchant, 'categories')
    if (!(await getItem(place))) throw recordMissing()
    const action = update('category', place, { set: { image } }, [present])
    return [raiseFrom(merchant, 'categories', seen, [action]), action]
  },
  merchant: async (merchant, _, image) => [update('merchant', key('merchant', { merchant }), { set: { image } })],
}

/**
 * Sets the picture of a record. `also` are actions of the same transaction. Throws wine_not_found or reference_not_found,
 * and TransactionRefused if an action of `also` fails.
 */
export const showPicture = async (
  kind: PictureKind,
  merchant: MerchantId,
  id: number,
  image: string,
  also: readonly Action[] = [],
): Promise<void> => {
  if (kind === 'wine') {
    const change = { image, chstamp: now() }
    await changeWine(
      merchant,
      id,
      async wine => (wine.image === image ? null : { after: { ...wine, ...change } }),
      also,
    )
    return
  }
  await retry(
    async () => transact([...(await writes[kind](merchant, id, image)), ...also]),
    error => !also.some(({ name }) => error.hasFailed(name)),
  )
}
