import { removePicture } from '../../shared/media/pictures/supply.ts'
import { listOrders } from '../../shared/orders/read.ts'
import { type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { queryPages } from '../../shared/platform/table/table.ts'

/** Yields the records and orders of a merchant that may name a picture. */
async function* namersOf(merchant: MerchantId): AsyncGenerator<object> {
  for (const kind of ['wine', 'product', 'winery', 'category'] as const) {
    for await (const entries of queryPages<object>({ pk: partition(kind, { merchant }) }))
      yield* entries.map(({ item }) => item)
  }
  let next: { start: number } | undefined = { start: 0 }
  while (next) {
    const { data, pages } = await listOrders(merchant, { page: 1, pageSize: 25, ...next }, new Set(['items']))
    yield* data
    next = pages.next
  }
}

/** Deletes those pictures, with their sizes, that no record or order of the merchant names. Reads all of them. */
export const removeUnnamed = async (merchant: MerchantId, paths: Iterable<string>): Promise<void> => {
  const unnamed = new Set(paths)
  if (unnamed.size === 0) return
  for await (const namer of namersOf(merchant))
    for (const [path] of JSON.stringify(namer).matchAll(/\/Images\/[\w/-]+\.(?:webp|png)/g)) unnamed.delete(path)
  for (const path of unnamed) await removePicture(path)
}
