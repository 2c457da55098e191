import { join } from 'node:path'
import { readProducts } from '../../../shared/catalogue/products/edit.ts'
import { changeMerchant } from '../../../shared/merchants/edit.ts'
import type { MerchantItem } from '../../../shared/platform/table/items.ts'
import { type MerchantId, merchantIdOf } from '../../../shared/platform/table/keys.ts'
import type { PictureKind } from '../../../shared/values/picture-name.ts'
import { categories } from '../imports/categories.ts'
import { clients } from '../imports/clients.ts'
import { packages } from '../imports/packages.ts'
import { priceRanges } from '../imports/price-ranges.ts'
import { products } from '../imports/products.ts'
import { importMissing, importRecords, type Kind } from '../imports/run.ts'
import { readCatalogue } from '../imports/wine-writes.ts'
import { importWines } from '../imports/wines.ts'
import { createMerchant, findMerchant, issueToken, listMerchants } from '../merchants.ts'
import { progressBar } from '../progress.ts'
import { demoWinesOf } from './cellar.ts'
import { credentialsOf, type DemoMerchant, demos, secretsOf } from './credentials.ts'
import { dataFolder, demoCategories, demoClientsOf, demoPackages, demoPriceRanges, demoProductsOf } from './records.ts'
import { demoSettingsOf } from './settings.ts'

const accountOf = async (demo: DemoMerchant, present: readonly MerchantItem[]): Promise<MerchantItem> => {
  const { name, authid } = credentialsOf(demo)
  const account = present.find(one => one.authid === authid) ?? (await createMerchant({ name, authid }))
  const { shop, desk } = secretsOf(demo)
  if (account.issued === 0) await issueToken(account, 'demo', { secret: shop })
  // Demos from before roles have the first one alone.
  if (account.issued < 2) await issueToken(await findMerchant(authid), 'desk', { role: 'desk', secret: desk })
  return account
}

// As createMerchant leaves them.
const isUnset = ({ payment_types, freight_free_from }: MerchantItem): boolean =>
  payment_types.join() === 'invoice' && freight_free_from === null

/** Imports missing records with the ids 1, 2, 3 … in the order of the rows. */
const importNumbered = async <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
): Promise<void> => {
  const numbers = new Map(rows.map((row, n) => [row, n + 1]))
  await importMissing(merchant, kind, rows, { wantedId: row => numbers.get(row) })
}

const addShop = async (merchant: MerchantId, demo: DemoMerchant): Promise<void> => {
  await importMissing(merchant, priceRanges, demoPriceRanges)
  await importNumbered(merchant, clients, demoClientsOf(demo))
  await importNumbered(merchant, products, demoProductsOf(demo))
  const { packages: present } = await packages.read(merchant)
  if (present.length === 0) await importRecords(merchant, packages, demoPackages())
}

const addPictures = async (merchant: MerchantId, kind: PictureKind, ...path: string[]): Promise<void> => {
  // The image decoder takes longer to load than everything else of a start with a complete demo.
  const { supplyImages } = await import('../images.ts')
  await supplyImages(merchant, { path: join(dataFolder, ...path), kind, progress: () => {} })
}

const hasBareProducts = async (merchant: MerchantId): Promise<boolean> =>
  (await readProducts(merchant)).some(({ image }) => !image)

/** Creates the demo merchants and their records where they are missing; existing ones stay unchanged. */
export const setUpDemo = async (): Promise<void> => {
  const present = await listMerchants()
  for (const demo of demos) {
    const account = await accountOf(demo, present)
    const merchant = merchantIdOf(account.id)
    // Before the wines, which would create the categories that they name without a description.
    await importMissing(merchant, categories, demoCategories())
    const rows = demoWinesOf(demo)
    const { wines } = await readCatalogue(merchant)
    if (wines.length < rows.length) {
      const bar = progressBar(`wines of ${account.name}`)
      await importWines(merchant, rows, bar.update)
      bar.stop(`${rows.length} wines of ${account.name}`)
    }
    await addShop(merchant, demo)
    if (isUnset(account)) await changeMerchant(merchant, demoSettingsOf(demo))
    if (!account.image) await addPictures(merchant, 'merchant', demo, 'logo.png')
    // Files are named after article numbers; one without a product of the merchant is refused.
    if (await hasBareProducts(merchant)) await addPictures(merchant, 'product', 'products')
  }
}
