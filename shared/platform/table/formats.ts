import type { ItemKind } from '../../contract/item-kinds.ts'
import { indexAttribute, type Key, kindOf, type Stored } from './keys.ts'

// While a release goes out, and after it was taken back, functions of two releases read what either of them writes. So a
// change of what an item looks like takes two releases: the first adds the upgrade and goes on writing the format before,
// the second writes the new one. What lies in the table stays as it is until it is written the next time.

/** Makes an item of the next format of one; neither has keys. */
type Upgrade = (item: Stored) => Stored

/**
 * The format that a kind of item is written in, from 1 on, and how older ones are read: the n-th upgrade takes an item of
 * format n to n + 1.
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
  const kind = Object.keys(formats).length > 0 ? kindOf(place) : undefined
  return kind && formats[kind]
}

/** What a whole item says of its format when it is written. */
export const formatMark = (place: Stored): Stored => {
  const { written = 1 } = formatOf(place) ?? {}
  return written > 1 ? { [formatAttribute]: written } : {}
}

/**
 * Throws where items are changed in place that have formats: one attribute of the new format in an item of the old one
 * would be neither.
 */
export const refuseInPlace = (place: Stored): void => {
  if (formatOf(place)) throw new Error(`${kindOf(place)} has formats, so it must be written whole: ${place.pk}`)
}

/** An item as it would be had it been written in the newest format that is known. Throws UnknownFormat. */
export const upgraded = (stored: Stored): Stored => {
  const known = formatOf(stored)
  const { [formatAttribute]: mark, ...item } = stored
  if (!known && mark === undefined) return stored
  const { upgrades = [] } = known ?? {}
  const format = Number(mark ?? 1)
  if (!(format <= upgrades.length + 1)) throw new UnknownFormat(stored)
  const { pk, sk } = stored
  return upgrades.slice(format - 1).reduce<Stored>((older, upgrade) => ({ ...upgrade(older), pk, sk }), item)
}

/** An item as its kind describes it, in its newest format: the one place where a type is put on what was read. */
export const itemIn = <Item>(stored: Stored): Item => {
  const { pk, sk, [indexAttribute]: index, ...item } = upgraded(stored)
  return item as Item
}

/** An item as it is stored at its key, and at its place in the index. */
export const storedItem = <Item>({ pk, sk }: Key<Item>, item: Item, index?: string): Stored => ({
  ...item,
  pk,
  sk,
  ...formatMark({ pk, sk }),
  ...(index && { [indexAttribute]: index }),
})
