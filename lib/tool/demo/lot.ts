/**
 * A number from 0 up to, without, 1 that looks like chance and is arithmetic: the remainder of
 * factor × (id + factor) by 997, as a part of 997. Different factors give numbers that have little to do with each other.
 */
export const lot = (id: number, factor: number): number => ((factor * (id + factor)) % 997) / 997

/** The item of a list that the lot falls on. */
export const picked = <Item>(items: readonly [Item, ...Item[]], id: number, factor: number): Item =>
  items[Math.floor(lot(id, factor) * items.length)] ?? items[0]
