import {
  columnOf,
  type IdList,
  idLists,
  isIdList,
  isSearchableField,
  type ScalarField,
  type SearchableField,
  searchableFields,
  valueKindOf,
} from '../contract/records/wine-fields.ts'
import type { Condition, Filter, Phrase, Query, Scalar } from '../contract/schema/wine-query.ts'
import { fold } from '../values/text.ts'
import { type Bits, noBits, unite } from './bits.ts'
import { addValueRows, columnAt, rowsPassing, rowsWithout } from './columns.ts'
import { codesOf } from './dictionary.ts'
import { rowsWith } from './phrases.ts'
import { border, type Row } from './row.ts'
import type { Segment } from './segment.ts'
import { sortKey, wireText } from './values.ts'

/** A criterion, for all rows of a segment together or for a single row. */
export type Test = {
  /** The rows that pass; undefined if there are none. The caller may change the set. */
  rowsOf: (segment: Segment) => Bits | undefined
  accepts: (row: Row) => boolean
}

// V8 searches a few letters with a plain loop, which takes half the time over the joined texts of a row. For more letters
// it builds a table after a while, for each text again, which costs more than it saves.
const fewLetters = 6

const anywhereTest = (text: string): Test => ({
  rowsOf: ({ lexicon }) => rowsWith(lexicon, text),
  accepts:
    // A text with the border itself would match where two texts meet.
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
      addValueRows(bits, column, codesOf(column.dictionary, 'id', keys))
      if (wanted.has(null)) unite(bits, rowsWithout(column))
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
  const [kind, place, wanted] = [valueKindOf(field), columnOf(field), new Set(keys)]
  return {
    rowsOf: ({ ids, columns }) => {
      const column = columnAt(columns, place)
      const bits = noBits(ids.length)
      addValueRows(bits, column, codesOf(column.dictionary, kind, keys))
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

export const testsOf = (query: Query | undefined, filter: Filter): Test[] => [
  ...filter.map(conditionTest),
  ...queryTests(query),
]
