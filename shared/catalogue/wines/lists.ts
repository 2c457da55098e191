import type { Wine } from '../../contract/records/wine.ts'
import type { FilterField } from '../../contract/records/wine-fields.ts'
import type { Page } from '../../contract/schema/lists.ts'
import type { Condition } from '../../contract/schema/wine-query.ts'
import type { ClusterField } from '../../contract/schema/wine-search.ts'
import { readMerchant } from '../../merchants/settings.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { asSoldBy } from '../../values/money.ts'
import { withIndex } from '../search/instance-cache.ts'
import { merchantScope } from '../search/scopes.ts'
import { readWineRecords } from '../search/wine-records.ts'
import { type ClusterCounts, type Clusters, clustersOf, countedClustersOf } from './clusters.ts'
import { criteriaOf, findPage, type Narrowing, type WineList } from './find-page.ts'
import { categorizer } from './store.ts'
import { labelUrl, type StoredWine, wineOf, wireWine } from './stored.ts'

/** The parameters of the Service lists. */
export type OwnList = WineList & {
  inshop?: 0 | 1 | null | undefined
  inwinelist?: 0 | 1 | null | undefined
  cluster?: readonly ClusterField[] | undefined
  /** 1 adds the number of wines of each value of a cluster, as facets. */
  clusterCounts?: 0 | 1 | null | undefined
}

/** A page entry's link for a QR code: to the electronic label, else to the public record. */
type QrCode = { hash: string; url: string }

/** A wine in a list of its merchant. */
type OwnWine = Wine & { categories: { id: number; name: string }[]; qrcodes?: QrCode[] }

/** A page of a merchant's wines, with the clusters of the request. */
export type OwnPage = Page<OwnWine> & { clusters?: Clusters; clusterCounts?: ClusterCounts }

const clustersIn = async (
  merchant: MerchantId,
  index: SearchIndex,
  asked: OwnList,
  narrowing: Narrowing,
): Promise<Pick<OwnPage, 'clusters' | 'clusterCounts'>> => {
  const { cluster = [], filter = [] } = asked
  if (cluster.length === 0) return {}
  const criteria = criteriaOf(asked, narrowing)
  if (!asked.clusterCounts) return { clusters: await clustersOf(merchant, index, cluster, criteria) }
  const without = (field: FilterField) => {
    const others = filter.filter(condition => condition.field !== field)
    return others.length < filter.length ? criteriaOf({ ...asked, filter: others }, narrowing) : undefined
  }
  return countedClustersOf(merchant, index, cluster, criteria, without)
}

/** The price of a merchant who charges no tax, by field: the index has prices with tax. */
const untaxedFields = { net: 'gross', tax: null, taxrate: null } as const

const isUntaxedField = (field: string): field is keyof typeof untaxedFields => field in untaxedFields

/** A list by the prices that it shows: without tax, `net` is the gross amount, and all wines have the same tax and rate. */
const untaxed = (asked: OwnList): OwnList => {
  const orderBy = asked.orderBy?.flatMap(term => {
    if (!isUntaxedField(term.field)) return [term]
    const field = untaxedFields[term.field]
    return field ? [{ ...term, field }] : []
  })
  const phrases = asked.query?.phrases?.flatMap(phrase => {
    if (!isUntaxedField(phrase.field)) return [phrase]
    const field = untaxedFields[phrase.field]
    if (field) return [{ ...phrase, field } as typeof phrase]
    const shown = phrase.field === 'tax' ? '0.00' : '0'
    return shown.includes(phrase.text ?? '') ? [] : [{ field: 'id' as const, text: 'none' }]
  })
  return {
    ...asked,
    ...(orderBy && { orderBy: orderBy.length > 0 ? orderBy : [{ field: 'id', descending: false }] }),
    ...(phrases && { query: phrases.length > 0 ? { phrases } : undefined }),
  }
}

/** A page of a merchant's wines as of this moment, with the QR codes of each if a function returns them. */
export const ownPage = async (
  merchant: MerchantId,
  given: OwnList,
  conditions: Condition[] = [],
  codesOf?: (wine: StoredWine) => QrCode[],
): Promise<OwnPage> => {
  const scope = merchantScope(merchant)
  // Inactive wines are neither in the shop nor in the wine list; wines without a price are not in the shop.
  const flags = {
    ...((given.inshop || given.inwinelist) && { active: 1 as const }),
    ...(given.inshop && { shop: 1 as const, priced: 1 as const }),
    ...(given.inwinelist && { public: 1 as const }),
  }
  const narrowing = { flags, conditions }
  const reading = readMerchant(merchant)
  const found = withIndex(scope, 0, async index => {
    const seller = await reading
    const asked = seller.tax_free === 1 ? untaxed(given) : given
    const read = findPage(index, asked, narrowing, async ids => {
      const documents = await readWineRecords(merchant, scope, index, ids)
      const wines = documents.map(doc => (doc === undefined ? undefined : wineOf({ doc })))
      const withCategories = await categorizer(merchant, wines)
      return wines.map(
        wine =>
          wine && { ...asSoldBy(seller, withCategories(wireWine(wine))), ...(codesOf && { qrcodes: codesOf(wine) }) },
      )
    })
    const [page, clusters] = await Promise.all([read, clustersIn(merchant, index, asked, narrowing)])
    return { ...page, ...clusters }
  })
  const [, page] = await Promise.all([reading, found])
  return page
}

const codeOf = ({ hash, label }: StoredWine, baseUrl: string): QrCode => ({
  hash,
  url: label === 'published' ? labelUrl(baseUrl, hash) : `${baseUrl}/wines/getPublic?hash=${hash}`,
})

/** Lists a merchant's wines as of this moment. The links of QR codes begin with `baseUrl`. */
export const listWines = (
  merchant: MerchantId,
  asked: OwnList & { qrcodes?: 0 | 1 | null | undefined },
  baseUrl: string,
): Promise<OwnPage> => ownPage(merchant, asked, [], asked.qrcodes ? wine => [codeOf(wine, baseUrl)] : undefined)

/** Lists the wines of a type, whole unless a pageSize is given. */
export const listType = (
  merchant: MerchantId,
  type: string,
  asked: Pick<OwnList, 'page' | 'pageSize' | 'start' | 'short' | 'inshop' | 'cluster' | 'clusterCounts'>,
): Promise<OwnPage> => ownPage(merchant, { ...asked, isWhole: true }, [{ field: 'type', keys: [type] }])
