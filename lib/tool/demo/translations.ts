import { addWine } from '../../../shared/catalogue/wines/edit.ts'
import { isDrawn, isPublic, type StoredWine } from '../../../shared/catalogue/wines/stored.ts'
import { NewWine } from '../../../shared/contract/records/wine.ts'
import { pick } from '../../../shared/contract/schema/fields.ts'
import { readCatalogue } from '../imports/wine-writes.ts'
import { findMerchant } from '../merchants.ts'
import { articleNumberOf } from './cellar.ts'
import { credentialsOf } from './credentials.ts'
import { styleOf } from './style.ts'
import { description, soldOut } from './words.ts'
import { type XWine, xwines } from './xwines.ts'

const given = Object.keys(NewWine.entries) as (keyof NewWine)[]

const translationOf = (original: StoredWine, wine: XWine): NewWine => ({
  ...pick(original, given),
  path_segment: `${original.path_segment}-en`,
  origin_id: original.id,
  language: 'en',
  // The shop lists and sells the original.
  shop: 0,
  description: description(wine, styleOf(wine), 'en'),
  nostocktext: original.nostocktext && soldOut.en,
  // A drawn picture belongs to the original.
  image: isDrawn(original.image) ? null : original.image,
})

/**
 * Adds an English translation to each public demo wine in the shop of Weinkontor Elbufer. If `signal` aborts, it stops
 * after the current wine; a later call adds the rest.
 */
export const translateDemo = async (signal: AbortSignal): Promise<void> => {
  const { id: merchant } = await findMerchant(credentialsOf('elbufer').authid)
  const known = new Map(xwines().map(wine => [articleNumberOf(wine), wine]))
  for (const original of (await readCatalogue(merchant)).wines) {
    if (signal.aborted) return
    const wine = known.get(original.articlenumber ?? '')
    const isMissing = original.origin_id === null && original.translations.every(({ language }) => language !== 'en')
    if (wine && isMissing && isPublic(original) && original.shop === 1)
      await addWine(merchant, original.cruser_id, translationOf(original, wine))
  }
}
