import type { FilterField } from '../contract/records/wine-fields.ts'
import type { ClusterField } from '../contract/wine-search.ts'
import { type MerchantId, partition } from '../table/keys.ts'
import { query } from '../table/table.ts'
import type { SearchIndex, Wanted } from './search/engine/search-index.ts'

type Named = { id: number; name: string }

/** The values of fields, sorted; categories and wineries with their names. */
export type Clusters = { [Field in ClusterField]?: (string | number)[] | Named[] }

const indexed = (field: ClusterField): FilterField => {
  if (field === 'categories') return 'categoryIds'
  return field === 'winery' ? 'winery_id' : field
}

const german = new Intl.Collator('de')

const namesOf = async (
  merchant: MerchantId,
  field: 'categories' | 'winery',
  ids: readonly unknown[],
): Promise<Named[]> => {
  const wanted = new Set(ids)
  if (wanted.size === 0) return []
  const records: Named[] = await query({ pk: partition(field === 'winery' ? 'winery' : 'category', { merchant }) })
  return records
    .filter(({ id }) => wanted.has(id))
    .map(({ id, name }) => ({ id, name }))
    .toSorted((one, other) => german.compare(one.name, other.name) || one.id - other.id)
}

/** The values that fields have over all of a merchant's wines that are meant. */
export const clustersOf = async (
  merchant: MerchantId,
  index: SearchIndex,
  fields: readonly ClusterField[],
  wanted: Wanted,
): Promise<Clusters> => {
  const values = index.distinct([...new Set(fields.map(indexed))], wanted)
  const entries = fields.map(async field => {
    const own = values[indexed(field)] ?? []
    return [field, field === 'categories' || field === 'winery' ? await namesOf(merchant, field, own) : own] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
