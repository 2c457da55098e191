import { basename } from 'node:path'
import { readCategories } from '../../shared/catalogue/category-edit.ts'
import { productAction, readProducts } from '../../shared/catalogue/products/edit.ts'
import { productOf } from '../../shared/catalogue/products/stored.ts'
import { raiseVersion } from '../../shared/catalogue/record-versions.ts'
import { changeWine } from '../../shared/catalogue/wines/write.ts'
import { keepPicture } from '../../shared/media/pictures/supply.ts'
import { retrying } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { transact, update } from '../../shared/platform/table/transact.ts'
import { ownerOf, type PictureKind, picturePath } from '../../shared/values/picture-name.ts'
import { slug } from '../../shared/values/slug.ts'
import { timestamp } from '../../shared/values/time.ts'
import { removeUnnamed } from './former-pictures.ts'
import type { Progress } from './imports/run.ts'
import { readCatalogue } from './imports/wine-writes.ts'
import { importWines } from './imports/wines.ts'
import { Refused } from './merchants.ts'
import { bytesOf, filesAt, type RefusedFile, supplyEach } from './supplies.ts'

/** A record that may have a picture. `words`: the file names that refer to it. `show` sets its picture. */
type Pictured = {
  id: number
  image: string | null | undefined
  words: readonly string[]
  show: (image: string) => Promise<unknown>
}

const now = (): string => timestamp(Date.now())

const showProduct = (merchant: MerchantId, id: number, image: string): Promise<void> =>
  retrying(
    async () => {
      const item = await getItem(key('product', { merchant, id }))
      if (!item) throw new Refused('belongs to a product that was deleted')
      const after = { ...productOf(item), image, chstamp: now() }
      await transact([productAction(merchant, item.version, after)])
    },
    () => true,
  )

const readers: Record<PictureKind, (merchant: MerchantId) => Promise<Pictured[]>> = {
  wine: async merchant => {
    const { wines } = await readCatalogue(merchant)
    return wines
      .filter(wine => wine.origin_id === null)
      .map(({ id, image, articlenumber }) => ({
        ...{ id, image },
        words: articlenumber === null ? [] : [articlenumber],
        show: image =>
          changeWine(merchant, id, async wine => (wine.image === image ? null : { ...wine, image, chstamp: now() })),
      }))
  },
  product: async merchant =>
    (await readProducts(merchant))
      .filter(product => product.origin_id === null)
      .map(({ id, image, articlenumber }) => ({
        ...{ id, image },
        words: articlenumber === null ? [] : [articlenumber],
        show: image => showProduct(merchant, id, image),
      })),
  winery: async merchant =>
    (await query({ pk: partition('winery', { merchant }) })).map(({ id, image, name }) => ({
      ...{ id, image },
      words: [name, slug(name)],
      show: image =>
        transact([
          raiseVersion('winery', merchant),
          update('winery', key('winery', { merchant, id }), { set: { image, chstamp: now() } }),
        ]),
    })),
  category: async merchant =>
    (await readCategories(merchant)).map(({ id, image, name, path_segment }) => ({
      ...{ id, image },
      words: [name, path_segment],
      show: image =>
        transact([
          raiseVersion('category', merchant),
          update('category', key('category', { merchant, id }), { set: { image } }),
        ]),
    })),
  merchant: async merchant => [
    {
      id: merchant,
      // Sent mails refer to a logo: the former one is not deleted.
      image: null,
      words: [],
      show: image => updateItem(key('merchant', { merchant }), { set: { image } }),
    },
  ],
}

const called: Record<PictureKind, string> = {
  wine: 'article number',
  product: 'article number',
  winery: 'winery',
  category: 'category',
  merchant: 'merchant',
}

type SupplyOptions = { path: string; kind: PictureKind; name?: string | undefined; progress: Progress }

/**
 * Assigns a picture, or each picture of a folder, to the record that the file name refers to: a wine or product by its
 * article number, a winery or category by its name. For a single file the name may be given; a logo needs none. Deletes
 * former pictures that no record or order names. Returns the number of accepted files, and the refused ones.
 */
export const supplyImages = async (
  merchant: MerchantId,
  { path, kind, name, progress }: SupplyOptions,
): Promise<{ taken: number; refused: RefusedFile[] }> => {
  const files = filesAt(path, /\.(png|jpe?g|webp)$/i)
  const isSingle = name !== undefined || kind === 'merchant'
  if (isSingle && files.length !== 1) throw new Refused('a single record can be named for a single file only')
  const records = await readers[kind](merchant)
  const former = new Set<string>()
  const ofWord = (word: string) => (kind === 'merchant' ? records : records.filter(({ words }) => words.includes(word)))
  const done = await supplyEach(files, progress, async file => {
    // Some file systems store decomposed characters.
    const word =
      name ??
      basename(file)
        .normalize('NFC')
        .replace(/\.\w+$/, '')
    const [record, ...others] = ofWord(word)
    if (!record) throw new Refused(`is named after no ${called[kind]} of this merchant`)
    if (others.length > 0) throw new Refused(`is named after an ${called[kind]} that several have`)
    const owner = ownerOf(kind, merchant, record.id)
    const kept = await keepPicture(kind, owner, bytesOf(file))
    if ('refused' in kept) throw new Refused(kept.refused)
    await record.show(kept.path)
    const { image } = record
    // A record may name the picture of another merchant.
    if (image !== kept.path && image?.startsWith(picturePath({ kind, owner, file: '' }))) former.add(image)
    record.image = kept.path
  })
  // Wines embed their winery.
  if (kind === 'winery' && done.taken > 0) await importWines(merchant, [])
  await removeUnnamed(merchant, former)
  return done
}
