import { boundedPage, type Page, PageRoom, pageOf, recordsBefore, type WantedPage } from '../../contract/lists.ts'
import type { PublicWine, Wine } from '../../contract/records/wine.ts'
import type { FilterField, ScalarField } from '../../contract/records/wine-fields.ts'
import type { Condition, Filter, Query, SortOrder } from '../../contract/wine-query.ts'
import type { ClusterField } from '../../contract/wine-search.ts'
import { shortText } from '../../contract/wire.ts'
import type { PublicWineItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import type { SearchIndex, Wanted } from '../../search/search-index.ts'
import { withShortTexts } from '../../values/text.ts'
import { findCategory } from '../categories.ts'
import { type RecordName, unlessMissing } from '../records.ts'
import { readDocuments } from '../search/documents.ts'
import { withIndex } from '../search/instance-cache.ts'
import { merchantScope, publicScope } from '../search/scopes.ts'
import { type ClusterCounts, type Clusters, clustersOf, countedClustersOf } from './clusters.ts'
import { boundedValues, type FilterValues } from './filter-values.ts'
import { categorizer } from './store.ts'
import { publicWineOf, shardOf, wineOf, wireWine } from './stored.ts'

/** What every list of wines may be asked, as the contract reads it. */
export type Asked = {
  page: number
  pageSize?: number | null | undefined
  max?: number | null | undefined
  /** Records to skip; goes before page. */
  start?: number | null | undefined
  /** Whether long texts are cut. */
  short?: 0 | 1 | null | undefined
  query?: Query | undefined
  filter?: Filter | undefined
  orderBy?: SortOrder | undefined
  /** Whether the list comes whole where it names no pageSize. */
  isWhole?: boolean
}

/** A hit that a QR code leads to. */
export type QrCode = { hash: string; url: string }

const usualSize = 16
const pageBytes = 2_000_000
// The names of a wine's fields alone take a kilobyte: no page has room for as many.
const mostRead = 2000

// `max` limits a list that names no pageSize; like pageSize, it counts as 100 at most.
const sizeOf = ({ pageSize, max, isWhole }: Asked): number => {
  if (pageSize) return pageSize
  if (isWhole) return Number.MAX_SAFE_INTEGER
  return max ? Math.min(max, 100) : usualSize
}

/** What was found for a page, and in how large steps its wines are best read. */
type Hits = { ids: number[]; totalCount: number; wanted: WantedPage; short: boolean; step: number }

// A wine takes about what it takes in the index; a step that is too small costs another request.
const stepOf = ({ bytes, size }: SearchIndex): number =>
  Math.max(usualSize, Math.min(100, Math.ceil((pageBytes * size) / Math.max(1, bytes))))

type Narrowing = Pick<Wanted, 'flags'> & { conditions?: Condition[] }

const wantedIn = ({ query, filter = [] }: Asked, { flags, conditions = [] }: Narrowing): Wanted => ({
  filter: [...filter, ...conditions],
  ...(query && { query }),
  ...(flags && { flags }),
})

const find = (index: SearchIndex, asked: Asked, more: Narrowing = {}): Hits => {
  const { page, orderBy } = asked
  const size = sizeOf(asked)
  const limit = (asked.pageSize ? null : asked.max) ?? Number.POSITIVE_INFINITY
  const start = recordsBefore({ page, pageSize: size, start: asked.start })
  const { total, ids } = index.search({
    ...wantedIn(asked, more),
    start,
    max: Math.max(0, Math.min(size, mostRead, limit - start)),
    ...(orderBy && { order: orderBy }),
  })
  const totalCount = Math.min(total, limit)
  const pageSize = asked.isWhole && !asked.pageSize ? Math.max(1, totalCount) : size
  const wanted = { page, pageSize, start: asked.start }
  return { ids, totalCount, wanted, short: asked.short === 1, step: stepOf(index) }
}

/** Reads the records of wines by their ids; what is gone is undefined. */
type Read<One> = (ids: readonly number[]) => Promise<(One | undefined)[]>

/** Reads records as they are taken, some at a time; what is gone is left out. */
async function* readInSteps<One>(ids: readonly number[], step: number, read: Read<One>): AsyncGenerator<One> {
  for (let at = 0; at < ids.length; at += step) {
    for (const one of await read(ids.slice(at, at + step))) if (one) yield one
  }
}

async function* shortened<One>(records: AsyncIterable<One>): AsyncGenerator<One> {
  for await (const one of records) yield withShortTexts(one, shortText)
}

/** The page of what was found. It ends early where the wines are too large for one. */
const pageFor = <One>({ ids, totalCount, wanted, short, step }: Hits, read: Read<One>): Promise<Page<One>> => {
  const records = readInSteps(ids, step, read)
  const shown = short ? shortened(records) : records
  return boundedPage(wanted, totalCount, shown, new PageRoom<One>({ isRepeated: true }))
}

/** What the Service lists may be asked besides. */
type Own = Asked & {
  inshop?: 0 | 1 | null | undefined
  inwinelist?: 0 | 1 | null | undefined
  cluster?: readonly ClusterField[] | undefined
  /** Whether the clusters come with numbers of wines, as facets. */
  clusterCounts?: 0 | 1 | null | undefined
}

/** A wine in a list of its merchant's. */
type OwnWine = Wine & { categories: { id: number; name: string }[] }

/** A page of a merchant's wines, with the clusters that were asked for. */
export type OwnPage = Page<OwnWine> & { clusters?: Clusters; clusterCounts?: ClusterCounts }

/** The clusters that were asked for, as they were asked for. */
const clustersIn = async (
  merchant: MerchantId,
  index: SearchIndex,
  asked: Own,
  more: Narrowing,
): Promise<Pick<OwnPage, 'clusters' | 'clusterCounts'>> => {
  const { cluster = [], filter = [] } = asked
  if (cluster.length === 0) return {}
  const wanted = wantedIn(asked, more)
  if (!asked.clusterCounts) return { clusters: await clustersOf(merchant, index, cluster, wanted) }
  const beside = (field: FilterField) => {
    const others = filter.filter(condition => condition.field !== field)
    return others.length < filter.length ? wantedIn({ ...asked, filter: others }, more) : undefined
  }
  return countedClustersOf(merchant, index, cluster, wanted, beside)
}

const ownPage = async (merchant: MerchantId, asked: Own, conditions: Condition[] = []): Promise<OwnPage> => {
  const scope = merchantScope(merchant)
  // What is not active is neither in the shop nor in the wine list.
  const flags = {
    ...((asked.inshop || asked.inwinelist) && { active: 1 as const }),
    ...(asked.inshop && { shop: 1 as const }),
    ...(asked.inwinelist && { public: 1 as const }),
  }
  const more = { flags, conditions }
  return withIndex(scope, 0, async index => {
    const read = pageFor(find(index, asked, more), async ids => {
      const documents = await readDocuments(merchant, scope, index, ids)
      const wines = documents.map(doc => (doc === undefined ? undefined : wireWine(wineOf({ doc }))))
      const withCategories = await categorizer(merchant, wines)
      return wines.map(wine => wine && withCategories(wine))
    })
    const [page, clusters] = await Promise.all([read, clustersIn(merchant, index, asked, more)])
    return { ...page, ...clusters }
  })
}

const withCodes = (page: OwnPage, baseUrl: string): OwnPage & Page<OwnWine & { qrcodes: QrCode[] }> => ({
  ...page,
  data: page.data.map(wine => ({
    ...wine,
    qrcodes: [{ hash: wine.hash, url: `${baseUrl}/wines/getPublic?hash=${wine.hash}` }],
  })),
})

/** Lists a merchant's wines as they are at this moment. `baseUrl` is what QR codes lead to. */
export const listWines = async (
  merchant: MerchantId,
  asked: Own & { qrcodes?: 0 | 1 | null | undefined },
  baseUrl: string,
): Promise<OwnPage & Page<OwnWine & { qrcodes?: QrCode[] }>> => {
  const page = await ownPage(merchant, asked)
  return asked.qrcodes ? withCodes(page, baseUrl) : page
}

type InCategory = Own &
  RecordName & {
    sortBy?: ScalarField | null | undefined
    sortDirection?: string | null | undefined
    sortDirectition?: string | null | undefined
  }

const sorted = ({ sortBy, sortDirection, sortDirectition }: InCategory): { orderBy?: SortOrder } => {
  const descending = (sortDirection ?? sortDirectition)?.toUpperCase() === 'DESC'
  return sortBy ? { orderBy: [{ field: sortBy, descending }] } : {}
}

const inCategory = (merchant: MerchantId, id: number, asked: InCategory): Promise<OwnPage> =>
  ownPage(merchant, { ...asked, ...sorted(asked), isWhole: true }, [{ field: 'categoryIds', keys: [id] }])

/** Lists the wines of a category, all of them unless a pageSize or max is given; none when there is no such category. Throws missing_identifier. */
export const listCategory = async (merchant: MerchantId, asked: InCategory): Promise<OwnPage> => {
  // By its id the wines are found without the category itself.
  if (asked.id && !asked.path_segment) return inCategory(merchant, asked.id, asked)
  const category = await findCategory(merchant, asked).catch(unlessMissing)
  return category ? inCategory(merchant, category.id, asked) : pageOf([], 0, asked.page, asked.pageSize ?? 1)
}

/** Lists the wines of a category, with the category beside. Throws missing_identifier or category_not_found. */
export const listCategoryWith = async (merchant: MerchantId, asked: InCategory) => {
  const category = await findCategory(merchant, asked)
  return { ...(await inCategory(merchant, category.id, asked)), category }
}

/** Lists the wines of a type, all of them unless a pageSize is given. */
export const listType = async (
  merchant: MerchantId,
  type: string,
  asked: Pick<Own, 'page' | 'pageSize' | 'start' | 'short' | 'inshop' | 'cluster' | 'clusterCounts'>,
): Promise<OwnPage> => ownPage(merchant, { ...asked, isWhole: true }, [{ field: 'type', keys: [type] }])

// Public lists may be five seconds old; this leaves time for publishing a change, and for the answer itself.
const publicLag = 1500

/** Lists publicly visible wines. */
export const listPublic = async (
  asked: Asked & { winery_id?: number | null | undefined },
): Promise<Page<PublicWine>> => {
  const conditions: Condition[] = asked.winery_id ? [{ field: 'winery_id', keys: [asked.winery_id] }] : []
  return withIndex(publicScope, publicLag, async index =>
    // Read as they are now, not as the index knows them: a wine may have been hidden since.
    pageFor(find(index, asked, { conditions }), async ids => {
      const keys: Key<PublicWineItem>[] = ids.map(id => key('publicWine', { shard: shardOf(id), id }))
      const items = await getItems(keys, { eventual: true })
      return items.map(item => (item && 'doc' in item ? publicWineOf(item) : undefined))
    }),
  )
}

/** The distinct values of fields over publicly visible wines, as many as one answer can hold. */
export const publicFilters = async (fields: Parameters<SearchIndex['distinct']>[0]): Promise<FilterValues> =>
  boundedValues(await withIndex(publicScope, publicLag, async index => index.distinct(fields)))
