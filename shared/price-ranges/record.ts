/** A group of clients with prices of its own. */
export type PriceRange = { id: number; name: string }
