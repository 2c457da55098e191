import type { FilterField } from '../../contract/records/wine-fields.ts'
import type { ClusterField } from '../../contract/wine-search.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import type { Counted, SearchIndex, Wanted } from '../../search/search-index.ts'
import { inGerman } from '../../values/text.ts'
import { rememberedRecords } from '../records.ts'

type Named = { id: number; name: string }

/** The values of fields, sorted; categories and wineries with their names. */
export type Clusters = { [Field in ClusterField]?: (string | number)[] | Named[] }

const indexed = (field: ClusterField): FilterField => {
  if (field === 'categories') return 'categoryIds'
  return field === 'winery' ? 'winery_id' : field
}

const namesOf = async (
  merchant: MerchantId,
  field: 'categories' | 'winery',
  ids: readonly unknown[],
): Promise<Named[]> => {
  const wanted = new Set(ids)
  if (wanted.size === 0) return []
  const records: readonly Named[] = await rememberedRecords(field === 'winery' ? 'winery' : 'category', merchant)
  return records
    .filter(({ id }) => wanted.has(id))
    .map(({ id, name }) => ({ id, name }))
    .toSorted((one, other) => inGerman(one.name, other.name) || one.id - other.id)
}

type Values = { [Field in FilterField]?: (string | number)[] }

const withNames = async (merchant: MerchantId, fields: readonly ClusterField[], values: Values): Promise<Clusters> => {
  const entries = fields.map(async field => {
    const own = values[indexed(field)] ?? []
    return [field, field === 'categories' || field === 'winery' ? await namesOf(merchant, field, own) : own] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const indexedOf = (fields: readonly ClusterField[]): FilterField[] => [...new Set(fields.map(indexed))]

/** The values that fields have over all of a merchant's wines that are meant. */
export const clustersOf = (
  merchant: MerchantId,
  index: SearchIndex,
  fields: readonly ClusterField[],
  wanted: Wanted,
): Promise<Clusters> => withNames(merchant, fields, index.distinct(indexedOf(fields), wanted))

/** How many wines have each value, by field and by the value as text. */
export type ClusterCounts = { [Field in ClusterField]?: Record<string, number> }

/** Which wines are meant where a field may have any value; undefined where nothing narrows it. */
export type WantedBeside = (field: FilterField) => Wanted | undefined

const countsBeside = (
  index: SearchIndex,
  fields: readonly FilterField[],
  wanted: Wanted,
  beside: WantedBeside,
): Counted => {
  const narrowed = fields.flatMap(field => {
    const without = beside(field)
    return without ? [{ field, without }] : []
  })
  const others = fields.filter(field => !narrowed.some(one => one.field === field))
  // Most fields are narrowed by nothing of their own: one search serves them all.
  const all = narrowed.map(({ field, without }) => index.counts([field], without))
  return Object.assign({}, index.counts(others, wanted), ...all)
}

/**
 * The values that fields have over a merchant's wines, each with its number of wines, as facets show them: what the filter
 * asks of a field itself does not narrow that field's values.
 */
export const countedClustersOf = async (
  merchant: MerchantId,
  index: SearchIndex,
  fields: readonly ClusterField[],
  wanted: Wanted,
  beside: WantedBeside,
): Promise<{ clusters: Clusters; clusterCounts: ClusterCounts }> => {
  const counted = countsBeside(index, indexedOf(fields), wanted, beside)
  const valuesOf = (field: FilterField) => (counted[field] ?? []).map(([value]) => value)
  const values: Values = Object.fromEntries(indexedOf(fields).map(field => [field, valuesOf(field)]))
  return {
    clusters: await withNames(merchant, fields, values),
    clusterCounts: Object.fromEntries(fields.map(field => [field, Object.fromEntries(counted[indexed(field)] ?? [])])),
  }
}
