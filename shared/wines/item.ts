import type { Wine } from './record.ts'

/** A wine's item in the table: the record as one JSON text, which is cheaper to read than some sixty attributes. */
export type WineItem = { doc: string; by: string }

/** The record in a wine's item. */
export const wineOf = (item: object): Wine => JSON.parse((item as WineItem).doc)
