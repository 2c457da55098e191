import * as v from 'valibot'
import {
  entriesOf,
  type Field,
  type FieldTable,
  Price,
  type ValueSchema,
} from '../../../shared/contract/schema/fields.ts'
import { isRule, partsOf, type SchemaPart } from '../../../shared/contract/schema/schema-parts.ts'
import { Flag } from '../../../shared/contract/schema/wire.ts'
import { cellOf } from './cells.ts'

/** A column of CSV files: a field of the row, or of a part of it. */
export type Column = {
  name: string
  /** The column of JSON files that holds an object with this field. */
  part?: string
  /** The name of the field. */
  key: string
  schema: ValueSchema
  field: Field
  /** True if every row must contain it. */
  isNeeded: boolean
}

type PartSchema = ValueSchema & { entries: Readonly<Record<string, ValueSchema>> }

/** True if a column of JSON files contains an object; in CSV files each of its keys is a column. */
export const isPart = (schema: ValueSchema): schema is PartSchema => 'entries' in schema

/** The CSV column of a key of an object: the object's name for the key `name`, else with it as a prefix: `winery_www`. */
export const partColumn = (part: string, key: string): string => (key === 'name' ? part : `${part}_${key}`)

const isOptional = (schema: ValueSchema): schema is ValueSchema & { wrapped: ValueSchema } =>
  schema.type === 'optional' && 'wrapped' in schema

/** The schema of a key that an object may lack. */
const present = (schema: ValueSchema): ValueSchema => (isOptional(schema) ? present(schema.wrapped) : schema)

/** All columns of CSV files, in the order in which files are written. */
export const columnsOf = (fields: FieldTable, needed: readonly string[]): Column[] =>
  Object.entries(entriesOf(fields, 'column') as Record<string, ValueSchema>).flatMap(([key, schema]): Column[] => {
    const field = fields[key]
    if (!field) return []
    if (!isPart(schema)) return [{ name: key, key, schema, field, isNeeded: needed.includes(key) }]
    return Object.entries(schema.entries).map(([inner, one]) => ({
      ...{ name: partColumn(key, inner), part: key, key: inner, schema: present(one) },
      ...{ field: field.fields?.[inner] ?? field, isNeeded: false },
    }))
  })

const phrases: Readonly<Record<string, (expected: string) => string>> = {
  one_of: expected => `one of ${expected}`,
  min_value: expected => `at least ${expected}`,
  max_value: expected => `at most ${expected}`,
}

// Objects whose keys may be left out are described in words.
const writtenAs = (entries: Readonly<Record<string, SchemaPart>>): string[] =>
  Object.values(entries).some(({ type }) => type === 'optional') ? [] : [`written ${Object.keys(entries).join('=')}`]

const rulesIn = ({ type, pipe, wrapped, item, entries, requirement }: SchemaPart): string[] => {
  if (isRule(requirement)) {
    const { rule, expected, jsonSchema } = requirement
    // A rule that means nothing in JSON holds for every text.
    return jsonSchema && Object.keys(jsonSchema.input).length === 0 ? [] : [phrases[rule]?.(expected) ?? expected]
  }
  if (pipe) return pipe.flatMap(step => (step.pipe === pipe ? [] : rulesIn(step)))
  if (wrapped) return rulesIn(wrapped)
  if (item) return rulesIn(item)
  if (entries) return writtenAs(entries)
  return type === 'max_length' ? [`at most ${requirement} of them`] : []
}

/** The rules of a column in words, as a refusal says them. */
const formOf = (schema: ValueSchema): string => {
  const rules = [...new Set(rulesIn(partsOf(schema)))]
  return [...(v.is(schema, []) ? ['list with | between items'] : []), ...rules].join(', ')
}

/** A value that a column may have. */
export const exampleOf = ({ schema, field: { example, default: usual } }: Column): unknown =>
  example ?? (schema === Flag ? 1 - Number(usual) : undefined)

const needOf = ({ isNeeded, schema, field: { default: usual } }: Column): string => {
  if (isNeeded) return 'required'
  // An amount that is left out follows from the others.
  const text = usual === undefined || schema === Price ? '' : cellOf(usual)
  return text === '' ? 'optional' : `default ${text}`
}

/** The columns as text for a person: of each its name and meaning, its rules, its default and an example. */
export const columnLines = (columns: readonly Column[]): string[] => {
  const width = Math.max(...columns.map(({ name }) => name.length)) + 2
  return columns.flatMap(column => [
    `${column.name.padEnd(width)}${[column.field.description, column.field.inFiles].filter(Boolean).join(' ')}`,
    `${' '.repeat(width)}${formOf(column.schema)}; ${needOf(column)}; example: ${cellOf(exampleOf(column))}`,
  ])
}
