import { basename } from 'node:path'
import { readCategories } from '../../shared/catalogue/category-edit.ts'
import { Problem } from '../../shared/contract/errors.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { showPicture } from '../../shared/media/pictures/show.ts'
import { keepPicture } from '../../shared/media/pictures/supply.ts'
import { type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { ownerOf, type PictureKind, picturePath } from '../../shared/values/picture-name.ts'
import { slug } from '../../shared/values/slug.ts'
import { removeUnnamed } from './former-pictures.ts'
import type { Progress } from './imports/run.ts'
import { importWines } from './imports/wines.ts'
import { Refused } from './merchants.ts'
import { originalsOf } from './stock.ts'
import { bytesOf, filesAt, type RefusedFile, supplyEach } from './supplies.ts'

/** A record that may have a picture. `words`: the file names that refer to it. */
type Pictured = { id: number; image: string | null | undefined; words: readonly string[] }

const byArticlenumber = ({ id, image, articlenumber }: Pick<Wine, 'id' | 'image' | 'articlenumber'>): Pictured => ({
  ...{ id, image },
  words: articlenumber === null ? [] : [articlenumber],
})

const deletedMeanwhile = (error: unknown): never => {
  throw error instanceof Problem ? new Refused('belongs to a record that was deleted') : error
}

const readers: Record<PictureKind, (merchant: MerchantId) => Promise<Pictured[]>> = {
  wine: async merchant => (await originalsOf(merchant, 'wine')).map(byArticlenumber),
  product: async merchant => (await originalsOf(merchant, 'product')).map(byArticlenumber),
  winery: async merchant =>
    (await query({ pk: partition('winery', { merchant }) })).map(({ id, image, name }) => ({
      ...{ id, image },
      words: [name, slug(name)],
    })),
  category: async merchant =>
    (await readCategories(merchant)).map(({ id, image, name, path_segment }) => ({
      ...{ id, image },
      words: [name, path_segment],
    })),
  // Sent mails refer to a logo: the former logo is not deleted.
  merchant: async merchant => [{ id: merchant, image: null, words: [] }],
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
 * former pictures that no record or order names. Returns the number of accepted files, and the refused files.
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
    await showPicture(kind, merchant, record.id, kept.path).catch(deletedMeanwhile)
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
