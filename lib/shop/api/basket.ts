import { type Basket, isError } from '../../client/index.ts'
import { Refusal } from '../errors.ts'
import { sumOf, times } from '../pages/price.js'
import { isShown, shownBasket } from '../records.ts'
import type { Visit } from '../visit.ts'

/** Returns the visitor's basket; undefined if there is none, or it has been ordered. */
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

export const bottlesIn = (basket: Basket | undefined): number =>
  (basket?.basketItems ?? []).reduce((sum, { quantity }) => sum + quantity, 0)

/** The shipping costs of some bottles; `maxBottles` is the size of the package, null for several packages. */
const shippingFor = async ({ client }: Visit, bottles: number, goods: string) => {
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

/** The basket with the value of its goods and the shipping costs. */
const showBasket = async (visit: Visit, basket: Basket | undefined) => {
  const { items, isWaiting, min_age } = shownBasket(
    basket ?? { uuid: '', basketItems: [], order_uuid: null, min_age: null },
    visit.isSignedIn,
  )
  const present = items.filter(item => !item.isGone)
  const goods = sumOf(present.map(({ gross, quantity }) => times(gross, quantity)))
  const bottles = present.reduce((sum, item) => sum + item.bottles, 0)
  const shipping = await shippingFor(visit, bottles, goods)
  return { items, isWaiting, min_age, goods, shipping, toSend: bottles, bottles: bottlesIn(basket) }
}

export const basket = async (visit: Visit) => showBasket(visit, await readBasket(visit))

const open = async ({ client, cookies }: Visit): Promise<string> => {
  const { data } = await client.call('/service/baskets/add')
  cookies.set('basket', data.uuid)
  return data.uuid
}

const itemNotFound = ['wine_not_found', 'missing_identifier', 'validation_failed'] as const

// The service sells every wine of the merchant's shop; this shop sells only those it shows. For an unknown id, addItem
// returns the better error.
const mustBeShown = async ({ client, fields }: Visit): Promise<void> => {
  if ((fields.item_type ?? 'wine') !== 'wine') return
  try {
    const { wine } = await client.call('/service/wines/get', { id: fields.id, inshop: 1 })
    if (!isShown('wine', wine)) throw new Refusal(422, 'item_not_found')
  } catch (error) {
    if (!isError(error, ...itemNotFound)) throw error
  }
}

/** Adds a wine or product to the basket, or to a new basket. */
export const add = async (visit: Visit) => {
  const { id, item_type = 'wine', quantity = 1 } = visit.fields
  await mustBeShown(visit)
  const uuid = (await readBasket(visit))?.uuid ?? (await open(visit))
  const data = { item_type, item_id: id, quantity }
  return showBasket(visit, (await visit.client.call('/service/baskets/addItem', { uuid, data, inshop: 1 })).data)
}

// To the service, item ids belong to the merchant: only the shop knows the visitor's basket.
const mustBeOwn = async (visit: Visit): Promise<void> => {
  const own = await readBasket(visit)
  if (!own?.basketItems.some(({ id }) => id === Number(visit.fields.id))) throw new Refusal(404, 'basket_not_found')
}

export const change = async (visit: Visit) => {
  await mustBeOwn(visit)
  const { id, quantity } = visit.fields
  const { data } = await visit.client.call('/service/baskets/editItem', { id, data: { quantity }, inshop: 1 })
  return showBasket(visit, data)
}

export const remove = async (visit: Visit) => {
  await mustBeOwn(visit)
  return showBasket(visit, (await visit.client.call('/service/baskets/deleteItem', { id: visit.fields.id })).data)
}
