import type { DocumentItem } from '../table/items.ts'
import type { PublicWine } from './public.ts'
import type { StoredWine, Wine } from './record.ts'

/** The record in a wine's item. */
export const wineOf = ({ doc }: Pick<DocumentItem, 'doc'>): StoredWine => JSON.parse(doc)

/** The record in a public wine's item. */
export const publicWineOf = ({ doc }: Pick<DocumentItem, 'doc'>): PublicWine => JSON.parse(doc)

/** A wine as its merchant is shown it. */
export const wireWine = ({ expertise, publicTranslations, ...wine }: StoredWine): Wine => wine
