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
import { importRecords, type Kind, type Progress } from '../imports/run.ts'
import { wines } from '../imports/wines.ts'
import { createMerchant, findMerchant, issueToken, listMerchants } from '../merchants.ts'
import { progressBar } from '../progress.ts'
import { credentialsOf, type DemoMerchant, demos, secretsOf } from './credentials.ts'
import {
  dataFolder,
  demoCategories,
  demoClientsOf,
  demoPackages,
  demoPriceRanges,
  demoProductsOf,
  demoSettingsOf,
  demoWinesOf,
} from './records.ts'

const accountOf = async (demo: DemoMerchant, present: readonly MerchantItem[]): Promise<MerchantItem> => {
  const { name, authid } = credentialsOf(demo)
  const account = present.find(one => one.authid === authid) ?? (await createMerchant({ name, authid }))
  const { shop, desk } = secretsOf(demo)
  if (account.issued === 0) await issueToken(account, 'demo', { secret: shop })
  // Demos from before roles have the first token alone.
  if (account.issued < 2) await issueToken(await findMerchant(authid), 'desk', { role: 'desk', secret: desk })
  return account
}

// As createMerchant leaves them.
const isUnset = ({ payment_types, freight_free_from }: MerchantItem): boolean =>
  payment_types.join() === 'invoice' && freight_free_from === null

const importMissing = <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  progress?: Progress,
): Promise<void> => importRecords(merchant, kind, rows, { progress, onlyMissing: true })

const addWines = async (merchant: MerchantId, demo: DemoMerchant, name: string): Promise<void> => {
  const rows = demoWinesOf(demo)
  const bar = progressBar(`wines of ${name}`)
  await importMissing(merchant, wines, rows, bar.update)
  bar.stop(`${rows.filter(({ original }) => !original).length} wines of ${name}`)
}

const addPictures = async (merchant: MerchantId, kind: PictureKind, ...path: string[]): Promise<void> => {
  // The image decoder takes longer to load than everything else of a start with a complete demo.
  const { supplyImages } = await import('../images.ts')
  await supplyImages(merchant, { path: join(dataFolder, ...path), kind, progress: () => {} })
}

const hasBareProducts = async (merchant: MerchantId): Promise<boolean> =>
  (await readProducts(merchant)).some(({ image }) => !image)

/** Creates the demo merchants and their records where they are missing; existing records stay unchanged. */
export const setUpDemo = async (): Promise<void> => {
  const present = await listMerchants()
  for (const demo of demos) {
    const account = await accountOf(demo, present)
    const merchant = merchantIdOf(account.id)
    // Before the records that name them.
    await importMissing(merchant, categories, demoCategories())
    await importMissing(merchant, priceRanges, demoPriceRanges())
    await addWines(merchant, demo, account.name)
    await importMissing(merchant, clients, demoClientsOf(demo))
    await importMissing(merchant, products, demoProductsOf(demo))
    // A file of packages is the whole list.
    if ((await packages.read(merchant)).packages.length === 0) await importRecords(merchant, packages, demoPackages())
    if (isUnset(account)) await changeMerchant(merchant, demoSettingsOf(demo))
    if (!account.image) await addPictures(merchant, 'merchant', demo, 'logo.png')
    // Files are named after article numbers; one without a product of the merchant is refused.
    if (await hasBareProducts(merchant)) await addPictures(merchant, 'product', 'products')
  }
}
