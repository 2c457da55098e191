import { byKey, type MerchantId, partition } from '../table/keys.ts'
import { query } from '../table/table.ts'
import { type Catalogue, createCatalogue } from './catalogue/catalogue.ts'
import { type WineItem, wineOf } from './item.ts'

// An instance keeps the catalogues it was asked for last, up to this much memory.
const maxBytes = 128 * 1024 * 1024

const kept = new Map<MerchantId, Catalogue>()

const evict = (): void => {
  let bytes = [...kept.values()].reduce((sum, catalogue) => sum + catalogue.bytes, 0)
  for (const [merchant, catalogue] of kept) {
    if (bytes <= maxBytes || kept.size === 1) return
    kept.delete(merchant)
    bytes -= catalogue.bytes
  }
}

const versionOf = ({ by }: WineItem): number => Number(by)

/** Reads what changed since the catalogue was last looked at: one strongly consistent query, empty if nothing did. */
const refresh = async (merchant: MerchantId, catalogue: Catalogue): Promise<void> => {
  const above = byKey('wine', { version: catalogue.version })
  const items = await query<WineItem>({ pk: partition('wine', { merchant }), index: 'by-order', above })
  catalogue.apply(items.map(item => ({ version: versionOf(item), wine: wineOf(item) })))
}

/** A merchant's catalogue as it is at this moment, every acknowledged change included. */
export const catalogueOf = async (merchant: MerchantId): Promise<Catalogue> => {
  const catalogue = kept.get(merchant) ?? createCatalogue()
  await refresh(merchant, catalogue)
  // Set again, so that the map stays in the order of use.
  kept.delete(merchant)
  kept.set(merchant, catalogue)
  evict()
  return catalogue
}
