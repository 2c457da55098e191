import type * as v from 'valibot'
import { Address } from '../contract/records/address.ts'
import { Category } from '../contract/records/category.ts'
import { ShownClient } from '../contract/records/client.ts'
import { ShownMerchant } from '../contract/records/merchant.ts'
import {
  CreditAdvice,
  DeliveryNote,
  Documents,
  ExecutedPayment,
  Invoice,
  Order,
  Payment,
  Position,
  Rebate,
  Received,
} from '../contract/records/order.ts'
import { Product } from '../contract/records/product.ts'
import { PublicWinery, Winery } from '../contract/records/winery.ts'
import { AddressChange, NewAddress } from '../contract/routes/addresses.ts'
import { Basket, BasketItem, NewItem } from '../contract/routes/baskets.ts'
import { InlineAddress, InlineDelivery, NewOrder, OrderedItem } from '../contract/routes/orders.ts'
import { NamedPackage, ShippingCost } from '../contract/routes/packaging.ts'
import { ListedWine } from '../contract/routes/wine-lists.ts'
import { ChangedWine, WineToAdd } from '../contract/routes/wine-writes.ts'
import { AnsweredPublicWine, AnsweredWine, ShownWine } from '../contract/routes/wines.ts'
import { Pages, Refusal } from '../contract/schema/answer.ts'
import { SearchFilter, SearchQuery } from '../contract/schema/wine-parameters.ts'
import type { Names, Side } from './json-schema.ts'

const ofResponses = {
  Address,
  Basket,
  BasketItem,
  Category,
  Client: ShownClient,
  CreditAdvice,
  DeliveryNote,
  Documents,
  ExecutedPayment,
  ShippingCost,
  Invoice,
  ListedWine,
  Merchant: ShownMerchant,
  Order,
  Package: NamedPackage,
  Payment,
  Position,
  Product,
  PublicWine: AnsweredPublicWine,
  PublicWinery,
  Rebate,
  ReceivedPayment: Received,
  ShownWine,
  Wine: AnsweredWine,
  Winery,
  Pages,
  Refusal,
}

const ofRequests = {
  AddressChange,
  InlineAddress,
  InlineDelivery,
  NewAddress,
  NewBasketItem: NewItem,
  NewOrder,
  NewWine: WineToAdd,
  OrderedItem,
  WineChange: ChangedWine,
  WineFilter: SearchFilter,
  WineQuery: SearchQuery,
}

const namesOf = (schemas: Readonly<Record<string, v.GenericSchema>>): Names =>
  new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]))

/** The schemas with a name in documents and in the typed client, of requests and of responses. */
export const named: Readonly<Record<Side, Names>> = { input: namesOf(ofRequests), output: namesOf(ofResponses) }
