import type { FilterField } from '../../contract/records/wine-fields.ts'
import type { ClusterField } from '../../contract/schema/wine-search.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import type { Criteria, SearchIndex } from '../../search/search-index.ts'
import { inGerman } from '../../values/text.ts'
import { cachedRecords } from '../records.ts'

type Named = { id: number; name: string }

/** The values of fields, sorted; categories and wineries with their names. */
export type Clusters = { [Field in ClusterField]?: (string | number)[] | Named[] }

const filterFieldOf = (field: ClusterField): FilterField => {
  if (field === 'categories') return 'categoryIds'
  return field === 'winery' ? 'winery_id' : field
}

const indexedOf = (fields: readonly ClusterField[]): FilterField[] => [...new Set(fields.map(filterFieldOf))]

const namesOf = async (
  merchant: MerchantId,
  field: 'categories' | 'winery',
  ids: readonly unknown[],
): Promise<Named[]> => {
  const wanted = new Set(ids)
  if (wanted.size === 0) return []
  const records: readonly Named[] = await cachedRecords(field === 'winery' ? 'winery' : 'category', merchant)
  return records
    .filter(({ id }) => wanted.has(id))
    .map(({ id, name }) => ({ id, name }))
    .toSorted((one, other) => inGerman(one.name, other.name) || one.id - other.id)
}

type Values = { [Field in FilterField]?: (string | number)[] }

const withNames = async (merchant: MerchantId, fields: readonly ClusterField[], values: Values): Promise<Clusters> => {
  const entries = fields.map(async field => {
    const own = values[filterFieldOf(field)] ?? []
    return [field, field === 'categories' || field === 'winery' ? await namesOf(merchant, field, own) : own] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The values of fields over the wines that meet the criteria. */
export const clustersOf = (
  merchant: MerchantId,
  index: SearchIndex,
  fields: readonly ClusterField[],
  criteria: Criteria,
): Promise<Clusters> => withNames(merchant, fields, index.distinct(indexedOf(fields), criteria))

/** The number of wines of each value, by field and by the value as text. */
export type ClusterCounts = { [Field in ClusterField]?: Record<string, number> }

/**
 * The values of fields with their numbers of wines, as facets show them: the filter on a field does not narrow that field's
 * own values. `without` returns the criteria without the filter on a field, undefined if there is none.
 */
export const countedClustersOf = async (
  merchant: MerchantId,
  index: SearchIndex,
  fields: readonly ClusterField[],
  criteria: Criteria,
  without: (field: FilterField) => Criteria | undefined,
): Promise<{ clusters: Clusters; clusterCounts: ClusterCounts }> => {
  const all = indexedOf(fields)
  // Most fields have no filter of their own: one search counts them all.
  const counted = index.counts(
    all.filter(field => !without(field)),
    criteria,
  )
  for (const field of all) {
    const others = without(field)
    if (others) Object.assign(counted, index.counts([field], others))
  }
  const values: Values = Object.fromEntries(all.map(field => [field, (counted[field] ?? []).map(([value]) => value)]))
  return {
    clusters: await withNames(merchant, fields, values),
    clusterCounts: Object.fromEntries(
      fields.map(field => [field, Object.fromEntries(counted[filterFieldOf(field)] ?? [])]),
    ),
  }
}
