import type { Wine } from '../../client/index.ts'
import { listedWine, shownClient, shownMerchant, shownWine } from '../records.ts'
import type { Visit } from '../visit.ts'
import { bottlesIn, readBasket } from './basket.ts'

/** The facets of the list: the fields of a wine that visitors narrow it by. */
const facets = ['type', 'countrycode', 'region', 'grapetypeIds', 'taste_id', 'vintage', 'bio', 'vegan']

const orders = new Map([
  ['popular', 'nostock ASC, topseller DESC, sorting ASC, name ASC'],
  ['cheap', 'nostock ASC, gross ASC, name ASC'],
  ['dear', 'nostock ASC, gross DESC, name ASC'],
  ['young', 'nostock ASC, vintage DESC, name ASC'],
  ['name', 'name ASC'],
])

// Of what the merchant sells in its shop, what everybody may see: only that has a public page and sheet.
const inShop = { inshop: 1, inwinelist: 1, short: 1 } as const

const listed = ({ isSignedIn }: Visit, wines: Wine[]) => wines.map(wine => listedWine(wine, isSignedIn))

/** Who sells, who visits, and how much is in the basket: what every page shows. */
export const session = async (visit: Visit) => {
  const { client, isSignedIn } = visit
  const [merchant, payments, own, basket] = await Promise.all([
    client.call('/service/customers/getMy'),
    client.call('/service/customers/availablePayments'),
    isSignedIn ? client.call('/service/clients/get') : null,
    readBasket(visit),
  ])
  return {
    merchant: shownMerchant(merchant.data),
    payments: payments.payments,
    client: own && shownClient(own.data),
    bottles: bottlesIn(basket),
  }
}

/** What the start page shows: the top sellers, and how many wines there are of each type. */
export const start = async (visit: Visit) => {
  const { data, totalCount, clusterCounts } = await visit.client.call('/service/wines/getAll', {
    ...inShop,
    orderBy: 'topseller DESC, nostock ASC, chstamp DESC, name ASC',
    pageSize: 8,
    cluster: ['type'],
    clusterCounts: 1,
  })
  return { topSellers: listed(visit, data), total: totalCount, types: clusterCounts?.type ?? {} }
}

/** A page of the list, with the facets and their counts. */
export const wines = async (visit: Visit) => {
  const { q, sort, page } = visit.fields
  const chosen = facets.map(name => [name, visit.all(name)] as const).filter(([, values]) => values.length > 0)
  const { data, totalCount, pages, clusters, clusterCounts } = await visit.client.call('/service/wines/search', {
    ...inShop,
    query: q ?? null,
    filter: Object.fromEntries(chosen),
    orderBy: orders.get(sort ?? '') ?? orders.get('popular') ?? '',
    page: page ?? 1,
    pageSize: 24,
    cluster: facets,
    clusterCounts: 1,
  })
  return { wines: listed(visit, data), total: totalCount, pages, clusters, counts: clusterCounts }
}

/** A wine at the price of the client who is signed in; everybody else reads the public route. */
export const wine = async ({ client, fields }: Visit) => {
  const { wine } = await client.call('/service/wines/get', { id: fields.id, inshop: 1 })
  return { wine: shownWine(wine) }
}

/** What sending costs, by the number of bottles. */
export const shipping = async ({ client }: Visit) => {
  const { data } = await client.call('/service/packaging/getAll')
  return { packages: data }
}
