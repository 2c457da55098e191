import { formatMark, upgraded } from './formats.ts'
import { indexAttribute, type Key, type Stored } from './keys.ts'

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
