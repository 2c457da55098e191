import type { ItemKind } from '../../contract/item-kinds.ts'
import { indexAttribute, itemKindOf, type Key, type Stored } from './keys.ts'

// During a release and after a rollback, functions of two releases read what either of them writes. So a new format takes two
// releases: the first adds the upgrade and still writes the old format, the second writes the new format. Items in the
// table keep their format until the next write.

/** Converts an item, without keys, to the next format. */
type Upgrade = (item: Stored) => Stored

/**
 * The format that a kind of item is written in, from 1 on, and how older formats are read: the n-th upgrade takes an
 * item of format n to n + 1.
 */
export type Format = { written: number; upgrades: readonly Upgrade[] }

/** The kinds of items that have ever changed their format; all others are of format 1. */
export const formats: { [Kind in ItemKind]?: Format } = {}

/** The attribute with an item's format; format 1 goes without. */
const formatAttribute = 'format'

/** An item of a format that these functions do not know: a later release has written it. */
export class UnknownFormat extends Error {
  constructor({ pk, sk, [formatAttribute]: format }: Stored) {
    super(`the item ${pk} ${sk} is of format ${format}, which a later release must have written`)
  }
}

const formatOf = (place: Stored): Format | undefined => {
  const kind = Object.keys(formats).length > 0 ? itemKindOf(place) : undefined
  return kind && formats[kind]
}

/** Returns the format attribute of an item that is written; none for format 1. */
const formatMark = (place: Stored): Stored => {
  const { written = 1 } = formatOf(place) ?? {}
  return written > 1 ? { [formatAttribute]: written } : {}
}

/**
 * Throws for a kind with several formats: an update in place could leave an item with attributes of two.
 */
export const refuseInPlace = (place: Stored): void => {
  if (formatOf(place)) throw new Error(`${itemKindOf(place)} has formats, so it must be written whole: ${place.pk}`)
}

/** Returns an item in the newest known format. Throws UnknownFormat. */
const upgrade = (stored: Stored): Stored => {
  const known = formatOf(stored)
  const { [formatAttribute]: mark, ...item } = stored
  if (!known && mark === undefined) return stored
  const { upgrades = [] } = known ?? {}
  const format = Number(mark ?? 1)
  if (!(format <= upgrades.length + 1)) throw new UnknownFormat(stored)
  const { pk, sk } = stored
  return upgrades.slice(format - 1).reduce<Stored>((older, upgrade) => ({ ...upgrade(older), pk, sk }), item)
}

/** Returns a stored item in its newest format, without the table's attributes; the only cast of items that are read. */
export const itemIn = <Item>(stored: Stored): Item => {
  const { pk, sk, [indexAttribute]: index, ...item } = upgrade(stored)
  return item as Item
}

/** Returns an item with its keys and format, as it is stored. */
export const storedItem = <Item>({ pk, sk }: Key<Item>, item: Item, index?: string): Stored => ({
  ...item,
  pk,
  sk,
  ...formatMark({ pk, sk }),
  ...(index && { [indexAttribute]: index }),
})
