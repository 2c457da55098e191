import type { Route } from '../route.ts'
import * as addresses from './addresses.ts'
import * as baskets from './baskets.ts'
import * as campaigns from './campaigns.ts'
import * as categories from './categories.ts'
import * as checkout from './checkout.ts'
import * as clients from './clients.ts'
import * as customers from './customers.ts'
import * as expertise from './expertise.ts'
import * as facts from './facts.ts'
import * as files from './files.ts'
import * as labelPages from './label-pages.ts'
import * as localization from './localization.ts'
import * as orderDocuments from './order-documents.ts'
import * as orderReads from './order-reads.ts'
import * as orderSteps from './order-steps.ts'
import * as orders from './orders.ts'
import * as packaging from './packaging.ts'
import * as payments from './payments.ts'
import * as pictures from './pictures.ts'
import * as priceRanges from './price-ranges.ts'
import * as products from './products.ts'
import * as reference from './reference.ts'
import * as signIn from './sign-in.ts'
import * as stocks from './stocks.ts'
import { unknown } from './unknown.ts'
import * as webhooks from './webhooks.ts'
import * as wineLists from './wine-lists.ts'
import * as wineWrites from './wine-writes.ts'
import * as wineries from './wineries.ts'
import * as wines from './wines.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'path' in value && 'summary' in value

/** All routes of the service. For lib/, tests and documents only: a handler imports its own route. */
export const routes: readonly Route[] = [
  signIn,
  customers,
  clients,
  addresses,
  baskets,
  campaigns,
  packaging,
  orders,
  orderReads,
  orderDocuments,
  orderSteps,
  checkout,
  payments,
  wines,
  wineWrites,
  wineLists,
  facts,
  expertise,
  categories,
  wineries,
  products,
  priceRanges,
  stocks,
  files,
  localization,
  pictures,
  labelPages,
  webhooks,
  reference,
].flatMap(file => Object.values(file).filter(isRoute))

/** The function behind the gateway's `$default`. */
export const fallback: Route = unknown
