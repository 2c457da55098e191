import { Refusal } from '../errors.ts'
import { translateWine } from '../pages/names.js'
import { isShown, listedWine, shownClient, shownMerchant, shownWine } from '../records.ts'
import type { Visit } from '../visit.ts'
import { inShop } from '../wine-cache.ts'
import { bottlesIn, readBasket } from './basket.ts'

/** The data of every page: merchant, client and size of the basket. */
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

/** The data of the start page: top sellers, and the number of wines of each type. */
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

/** Returns a wine in its own language; undefined if the shop does not show it. */
const readOriginal = async ({ client }: Visit, id: number | string) => {
  const { wine } = await client.call('/service/wines/get', { id, inshop: 1 })
  return isShown('wine', wine) ? wine : undefined
}

/** Returns a wine, translated if possible; undefined if the shop does not show it. */
export const readWine = async (visit: Visit, id: number | string) => {
  const wine = await readOriginal(visit, id)
  return (
    wine &&
    translateWine(wine, visit.language, async id => (await visit.client.call('/service/wines/get', { id })).wine)
  )
}

/** A wine at the price of the signed-in client; guests read the public route instead. */
export const wine = async (visit: Visit) => {
  const wine = await readWine(visit, visit.fields.id)
  if (!wine) throw new Refusal(404, 'wine_not_found')
  return { wine: shownWine(wine) }
}

/** The ingredients and the nutrition declaration of a wine in the visitor's language, its operator and the URL of its label. */
export const facts = async (visit: Visit) => {
  const { client, language, fields } = visit
  const [wine, { data, facts, label }] = await Promise.all([
    readOriginal(visit, fields.id),
    client.call('/service/facts/getAll', { wine_id: fields.id, language }),
  ])
  if (!wine) throw new Refusal(404, 'wine_not_found')
  const rows = data.filter(({ factgroup }) => factgroup !== 'recycling')
  return { rows, operator: facts.operator, label: label.url }
}

export const shipping = async ({ client }: Visit) => ({
  packages: (await client.call('/service/packaging/getAll')).data,
})
