import {
  columnOf,
  type IdList,
  idLists,
  isIdList,
  isSearchableField,
  kindOf,
  type ScalarField,
  type SearchableField,
  searchableFields,
} from '../../../contract/records/wine-fields.ts'
import type { Condition, Filter, Phrase, Query, Scalar } from '../../../contract/wine-query.ts'
import { fold } from '../../../text.ts'
import type { Base } from './base.ts'
import { columnAt, narrowByList, narrowByValue } from './columns.ts'
import type { Row } from './row.ts'
import { rowsWith, rowsWithSlot } from './text-buffer.ts'
import { sortKey, wireText } from './values.ts'

/** One thing asked of a wine, told for all rows of a base at once or for a single row. */
export type Test = {
  /** Unmarks the rows that fail. */
  narrow: (base: Base, hits: Uint8Array) => void
  accepts: (row: Row) => boolean
}

const keepCommon = (hits: Uint8Array, others: Uint8Array) => {
  for (let row = 0; row < hits.length; row++) if (others[row] === 0) hits[row] = 0
}

const anywhereTest = (text: string): Test => ({
  narrow: (base, hits) => keepCommon(hits, rowsWith(base.text, text)),
  accepts: row => row.slots.some(slot => slot.includes(text)),
})

const slotTest = (field: SearchableField, text: string): Test => {
  const slot = searchableFields.indexOf(field)
  return {
    narrow: (base, hits) => keepCommon(hits, rowsWithSlot(base.text, slot, text)),
    accepts: row => row.slots[slot]?.includes(text) ?? false,
  }
}

const valueTest = (field: ScalarField, passes: (value: Scalar) => boolean): Test => {
  const column = columnOf(field)
  return {
    narrow: (base, hits) => narrowByValue(hits, columnAt(base.columns, column), passes),
    accepts: row => passes(row.scalars[column] ?? null),
  }
}

const listTest = (field: IdList, passes: (id: Scalar) => boolean, empty: boolean): Test => {
  const list = idLists.indexOf(field)
  return {
    narrow: (base, hits) => narrowByList(hits, columnAt(base.lists, list), passes, empty),
    accepts: row => {
      const ids = row.lists[list] ?? []
      return ids.some(passes) || (empty && ids.length === 0)
    },
  }
}

const conditionTest = ({ field, keys }: Condition): Test => {
  const wanted = new Set(keys)
  if (isIdList(field)) return listTest(field, id => wanted.has(id), wanted.has(null))
  const kind = kindOf(field)
  return valueTest(field, value => wanted.has(sortKey(kind, value)))
}

const rowsAValue = 32

const hasFewValues = (base: Base, field: ScalarField): boolean =>
  columnAt(base.columns, columnOf(field)).dictionary.size * rowsAValue < base.ids.length

const phraseTest = (phrase: Phrase): Test => {
  const { field, text, id } = phrase
  if (id !== undefined) return listTest(field, one => one === id, false)
  if (field === 'winery.name') return slotTest(field, text)
  const byValue = valueTest(field, value => fold(wireText(value)).includes(text))
  if (!isSearchableField(field)) return byValue
  const bySlot = slotTest(field, text)
  return {
    // A few distinct values are read faster than the text of all rows.
    narrow: (base, hits) => (hasFewValues(base, field) ? byValue : bySlot).narrow(base, hits),
    accepts: bySlot.accepts,
  }
}

const queryTests = (query: Query | undefined): Test[] => {
  if (query === undefined) return []
  return query.phrases ? query.phrases.map(phraseTest) : [anywhereTest(query.anywhere)]
}

/** Everything a query and a filter ask. */
export const testsOf = (query: Query | undefined, filter: Filter): Test[] => [
  ...filter.map(conditionTest),
  ...queryTests(query),
]
