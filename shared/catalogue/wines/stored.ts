import { randomBytes } from 'node:crypto'
import { completePublicWine, completeWine, type PublicWine, type Wine } from '../../contract/records/wine.ts'
import { completeWinery, publicWinery } from '../../contract/records/winery.ts'
import type { DocumentItem, ExpertiseFile } from '../../platform/table/items.ts'
import { withPdf } from './links.ts'

/** A wine as it is kept; its PDF and the ids of those translations that everybody may see are shown to nobody. */
export type StoredWine = Wine & { expertise?: ExpertiseFile; publicTranslations?: number[] }

type Document = Pick<DocumentItem, 'doc'>

/** The record in a wine's item. */
export const wineOf = ({ doc }: Document): StoredWine => {
  const { expertise, publicTranslations, winery, ...stored }: StoredWine = JSON.parse(doc)
  return {
    ...withPdf(completeWine({ ...stored, winery: winery && completeWinery(winery) })),
    ...(expertise && { expertise }),
    ...(publicTranslations && { publicTranslations }),
  }
}

/** The record in a public wine's item. */
export const publicWineOf = ({ doc }: Document): PublicWine => {
  const { winery, ...stored }: PublicWine = JSON.parse(doc)
  return withPdf(completePublicWine({ ...stored, winery: winery && publicWinery(winery) }))
}

/** A wine as its merchant is shown it. */
export const wireWine = ({ expertise, publicTranslations, ...wine }: StoredWine): Wine => wine

/** What a new wine is given beside what its merchant says of it. */
export type WineIdentity = Pick<Wine, 'id' | 'customers_id' | 'cruser_id' | 'path_segment'> & { now: string }

/** A new wine of which no more is known than every wine must say. */
export const newWine = (
  { now, ...identity }: WineIdentity,
  { name, type, countrycode, region }: Pick<Wine, 'name' | 'type' | 'countrycode' | 'region'>,
): StoredWine =>
  completeWine({
    ...identity,
    ...{ name, type, countrycode, region },
    hash: randomBytes(16).toString('hex'),
    crstamp: now,
    chstamp: now,
  })
