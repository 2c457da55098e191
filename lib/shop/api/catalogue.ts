import { inShop } from '../matches.ts'
import { translated } from '../pages/names.js'
import { isShown, listedWine, shownClient, shownMerchant, shownWine } from '../records.ts'
import { Refusal } from '../refusal.ts'
import type { Visit } from '../visit.ts'
import { bottlesIn, readBasket } from './basket.ts'

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
  return {
    topSellers: data.map(wine => listedWine(wine, visit.isSignedIn)),
    total: totalCount,
    types: clusterCounts?.type ?? {},
  }
}

/** A wine that the shop shows, in the visitor's language where it has a translation. */
export const readWine = async ({ client, language }: Visit, id: number | string) => {
  const { wine } = await client.call('/service/wines/get', { id, inshop: 1 })
  if (!isShown('wine', wine)) return undefined
  return translated(wine, language, async id => (await client.call('/service/wines/get', { id })).wine)
}

/** A wine at the price of the client who is signed in; everybody else reads the public route. */
export const wine = async (visit: Visit) => {
  const wine = await readWine(visit, visit.fields.id)
  if (!wine) throw new Refusal(404, 'wine_not_found')
  return { wine: shownWine(wine) }
}

/** What sending costs, by the number of bottles. */
export const shipping = async ({ client }: Visit) => {
  const { data } = await client.call('/service/packaging/getAll')
  return { packages: data }
}
