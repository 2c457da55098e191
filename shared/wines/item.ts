import type { ExpertiseFile, StoredWine, Wine } from './record.ts'

/**
 * A wine's item in the table: the record as one JSON text, which is cheaper to read than some sixty attributes, and
 * its version for conditions.
 */
export type WineItem = { doc: string; version: number; by: string }

/** A public wine's item; one that is not public any more stays as a tombstone, so that indexes learn of it. */
export type PublicWineItem = { by: string } & ({ doc: string; expertise?: ExpertiseFile } | { removed: true })

/** The record in a wine's item. */
export const wineOf = (item: object): StoredWine => JSON.parse((item as WineItem).doc)

/** A wine as its merchant is answered it. */
export const wireWine = ({ expertise, publicTranslations, ...wine }: StoredWine): Wine => wine
