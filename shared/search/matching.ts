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
} from '../contract/records/wine-fields.ts'
import type { Condition, Filter, Phrase, Query, Scalar } from '../contract/wine-query.ts'
import { fold } from '../values/text.ts'
import { addBits, type Bits, noBits } from './bits.ts'
import { addHolders, columnAt, rowsPassing, rowsWithout } from './columns.ts'
import { codesOf } from './dictionary.ts'
import { rowsWith } from './phrases.ts'
import { border, type Row } from './row.ts'
import type { Segment } from './segment.ts'
import { sortKey, wireText } from './values.ts'

/** One thing asked of a wine, told for all rows of a segment at once or for a single row. */
export type Test = {
  /** The rows that pass; undefined when there is none. The set is the caller's own. */
  rowsOf: (segment: Segment) => Bits | undefined
  accepts: (row: Row) => boolean
}

// Node looks for a few letters on a plain walk, which goes through all texts of a row at once in half the time. For more
// letters it makes a table after a while, in each text anew, which takes longer than what it saves.
const fewLetters = 6

const anywhereTest = (text: string): Test => ({
  rowsOf: ({ lexicon }) => rowsWith(lexicon, text),
  accepts:
    // What holds the border itself would be found where two texts meet.
    text.length <= fewLetters && !text.includes(border)
      ? row => row.text.includes(text)
      : row => row.slots.some(slot => slot.includes(text)),
})

const slotTest = (field: SearchableField, text: string): Test => {
  const slot = searchableFields.indexOf(field)
  return {
    rowsOf: ({ lexicon }) => rowsWith(lexicon, text, slot),
    accepts: row => row.slots[slot]?.includes(text) ?? false,
  }
}

const listTest = (field: IdList, keys: readonly Scalar[]): Test => {
  const list = idLists.indexOf(field)
  const wanted = new Set(keys)
  return {
    rowsOf: ({ ids, lists }) => {
      const column = columnAt(lists, list)
      const bits = noBits(ids.length)
      addHolders(bits, column, codesOf(column.dictionary, 'id', keys))
      if (wanted.has(null)) addBits(bits, rowsWithout(column))
      return bits
    },
    accepts: row => {
      const ids = row.lists[list] ?? []
      return ids.some(id => wanted.has(id)) || (wanted.has(null) && ids.length === 0)
    },
  }
}

const conditionTest = ({ field, keys }: Condition): Test => {
  if (isIdList(field)) return listTest(field, keys)
  const [kind, place, wanted] = [kindOf(field), columnOf(field), new Set(keys)]
  return {
    rowsOf: ({ ids, columns }) => {
      const column = columnAt(columns, place)
      const bits = noBits(ids.length)
      addHolders(bits, column, codesOf(column.dictionary, kind, keys))
      return bits
    },
    accepts: row => wanted.has(sortKey(kind, row.scalars[place] ?? null)),
  }
}

const valueTest = (field: ScalarField, text: string): Test => {
  const place = columnOf(field)
  const passes = (value: Scalar): boolean => fold(wireText(value)).includes(text)
  return {
    rowsOf: ({ columns }) => rowsPassing(columnAt(columns, place), passes),
    accepts: row => passes(row.scalars[place] ?? null),
  }
}

const phraseTest = ({ field, text, id }: Phrase): Test => {
  if (id !== undefined) return listTest(field, [id])
  return field === 'winery.name' || isSearchableField(field) ? slotTest(field, text) : valueTest(field, text)
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
