import type { Key } from './keys.ts'

/** An item as DynamoDB has it, with the table's own attributes. */
export type Stored = Record<string, unknown>

/** The attribute that holds an item's sort key in the table's index, and that index. */
export const indexAttribute = 'lsi1sk'
export const indexName = 'lsi1'

/** An item as its kind describes it: the one place where a type is put on what was read. */
export const itemIn = <Item>({ pk, sk, [indexAttribute]: index, ...item }: Stored): Item => item as Item

/** An item as it is stored at its key, and at its place in the index. */
export const storedItem = <Item>({ pk, sk }: Key<Item>, item: Item, index?: string): Stored => ({
  ...item,
  pk,
  sk,
  ...(index && { [indexAttribute]: index }),
})
