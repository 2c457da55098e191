import { type Basket, isError } from '../../client/index.ts'
import { sumOf, times } from '../pages/price.js'
import { isShown, shownBasket } from '../records.ts'
import { Refusal } from '../refusal.ts'
import type { Visit } from '../visit.ts'

/** The basket of the visitor; undefined where there is none, or it is ordered by now. */
export const readBasket = async ({ client, cookies }: Visit): Promise<Basket | undefined> => {
  const uuid = cookies.get('basket')
  if (!uuid) return undefined
  try {
    return (await client.call('/service/baskets/get', { uuid })).data
  } catch (error) {
    if (!isError(error, 'basket_not_found', 'validation_failed')) throw error
    cookies.remove('basket')
    return undefined
  }
}

/** How many pieces are in a basket. */
export const bottlesIn = (basket: Basket | undefined): number =>
  (basket?.basketItems ?? []).reduce((sum, { quantity }) => sum + quantity, 0)

/** What sending bottles costs, and how many bottles the package holds: `maxBottles`, null where more than one is sent. */
const freightFor = async ({ client }: Visit, bottles: number, goods: string) => {
  if (bottles === 0) return null
  try {
    const [{ data }, packages] = await Promise.all([
      client.call('/service/packaging/find', { type: 'bottles', bottles, gross: goods }),
      client.call('/service/packaging/getAll'),
    ])
    const { id, gross, taxrate, name, quantity } = data
    const used = packages.data.find(one => one.id === id)
    return { gross, taxrate, name, maxBottles: quantity === 1 ? (used?.max_bottles ?? null) : null }
  } catch (error) {
    if (isError(error, 'package_not_found')) return null
    throw error
  }
}

/** The basket as its page shows it: items, the value of the goods, and what sending so many bottles costs. */
const shown = async (visit: Visit, basket: Basket | undefined) => {
  const { items, isWaiting } = shownBasket(basket ?? { uuid: '', basketItems: [], order_uuid: null }, visit.isSignedIn)
  const present = items.filter(item => !item.isGone)
  const goods = sumOf(present.map(({ gross, quantity }) => times(gross, quantity)))
  const bottles = present.reduce((sum, item) => sum + item.bottles, 0)
  const freight = await freightFor(visit, bottles, goods)
  return { items, isWaiting, goods, freight, toSend: bottles, bottles: bottlesIn(basket) }
}

/** The visitor's basket. */
export const basket = async (visit: Visit) => shown(visit, await readBasket(visit))

const open = async ({ client, cookies }: Visit): Promise<string> => {
  const { data } = await client.call('/service/baskets/add')
  cookies.set('basket', data.uuid)
  return data.uuid
}

const itemNotFound = ['wine_not_found', 'missing_identifier', 'validation_failed'] as const

// The service sells whatever is in the merchant's shop; this shop sells what it shows. Of an id that names no wine the
// service says more when it is put into the basket.
const mustBeShown = async ({ client, fields }: Visit): Promise<void> => {
  if ((fields.item_type ?? 'wine') !== 'wine') return
  try {
    const { wine } = await client.call('/service/wines/get', { id: fields.id, inshop: 1 })
    if (!isShown('wine', wine)) throw new Refusal(422, 'item_not_found')
  } catch (error) {
    if (!isError(error, ...itemNotFound)) throw error
  }
}

/** Puts a wine or product into the basket; opens one where there is none, or the last one is ordered. */
export const add = async (visit: Visit) => {
  const { id, item_type = 'wine', quantity = 1 } = visit.fields
  await mustBeShown(visit)
  const put = async (uuid: string): Promise<Basket> => {
    const data = { item_type, item_id: id, quantity }
    return (await visit.client.call('/service/baskets/addItem', { uuid, data, inshop: 1 })).data
  }
  const { uuid } = (await readBasket(visit)) ?? { uuid: await open(visit) }
  return shown(visit, await put(uuid))
}

// The service knows items by ids of the merchant's: whose basket one is in, only the shop can tell.
const mustBeOwn = async (visit: Visit): Promise<void> => {
  const own = await readBasket(visit)
  if (!own?.basketItems.some(({ id }) => id === Number(visit.fields.id))) throw new Refusal(404, 'basket_not_found')
}

/** Changes how many of an item are in the basket. */
export const change = async (visit: Visit) => {
  await mustBeOwn(visit)
  const { id, quantity } = visit.fields
  const changed = await visit.client.call('/service/baskets/editItem', { id, data: { quantity }, inshop: 1 })
  return shown(visit, changed.data)
}

/** Takes an item out of the basket. */
export const remove = async (visit: Visit) => {
  await mustBeOwn(visit)
  return shown(visit, (await visit.client.call('/service/baskets/deleteItem', { id: visit.fields.id })).data)
}
