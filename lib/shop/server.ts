import { isError } from '../client/index.ts'
import * as account from './api/account.ts'
import * as basket from './api/basket.ts'
import * as catalogue from './api/catalogue.ts'
import * as checkout from './api/checkout.ts'
import { few, wines } from './api/list.ts'
import { suggest } from './api/suggest.ts'
import { errorResponse, jsonResponse, Refusal } from './errors.ts'
import { pageWith, safeHeaders, serveFile } from './files.ts'
import { headOf } from './head.ts'
import { newMailbox } from './mailbox.ts'
import { routeOf } from './pages/router.js'
import { newSignInLimit } from './sign-in-limit.ts'
import { robotsFor, sitemapFor } from './sitemap.ts'
import { type ShopOptions, type Visit, visitOf } from './visit.ts'
import { newWineCache } from './wine-cache.ts'

type Handler = (visit: Visit) => Promise<object>

/** The requests of the pages, below /shop/api/. */
const handlers: Readonly<Record<string, Handler>> = {
  'GET session': catalogue.session,
  'GET start': catalogue.start,
  'GET wines': wines,
  'GET few': few,
  'GET suggest': suggest,
  'GET wine': catalogue.wine,
  'GET facts': catalogue.facts,
  'GET shipping': catalogue.shipping,
  'GET basket': basket.basket,
  'POST basket/add': basket.add,
  'POST basket/change': basket.change,
  'POST basket/remove': basket.remove,
  'POST checkout/price': checkout.price,
  'POST checkout': checkout.place,
  'POST payment': checkout.payment,
  'GET order': checkout.order,
  'POST order/cancel': checkout.cancel,
  'POST account/sign-in': account.signIn,
  'POST account/sign-out': account.signOut,
  'POST account/register': account.register,
  'POST account/activate': account.activate,
  'POST account/forgot': account.forgot,
  'POST account/reset': account.reset,
  'GET account': account.account,
  'POST account/edit': account.edit,
  'GET account/orders': account.orders,
  'GET account/order': account.ownOrder,
  'GET account/document': account.document,
  'GET mailbox': async ({ cookies, mailbox }) => ({ mails: mailbox.read(cookies) }),
}

const api = '/shop/api/'

/** Runs a handler; a visitor whose sign-in has expired continues as a guest. */
const runHandler = async (handler: Handler, visit: Visit): Promise<object> => {
  try {
    return await handler(visit)
  } catch (error) {
    if (!visit.isSignedIn || !isError(error, 'client_token_invalid')) throw error
    visit.cookies.remove('client')
    return handler({ ...visit, client: visit.merchant, isSignedIn: false })
  }
}

/**
 * A wine shop on the service: pages at / and below /shop/, their requests below /shop/api/. The merchant's credential
 * stays on the server; a visitor has signed cookies that no script can read. `address` is the network address of the
 * client, which limits its sign-ins. Throws a RangeError for an origin of another machine.
 */
export const createShop = (options: ShopOptions): ((request: Request, address: string) => Promise<Response>) => {
  const shared = { mailbox: newMailbox(options.origins), readWines: newWineCache(), limitSignIn: newSignInLimit() }

  const apiResponse = async (request: Request, address: string, name: string): Promise<Response> => {
    const handler = handlers[`${request.method === 'HEAD' ? 'GET' : request.method} ${name}`]
    if (!handler) return errorResponse(new Refusal(404, 'route_not_found'))
    let visit: Visit | undefined
    let response: Response
    try {
      visit = await visitOf(request, options, { ...shared, address })
      response = jsonResponse(200, await runHandler(handler, visit))
    } catch (error) {
      response = errorResponse(error)
    }
    for (const cookie of visit?.cookies.changed() ?? []) response.headers.append('set-cookie', cookie)
    return response
  }

  const pageAt = async (request: Request, address: string, path: string) => {
    const visit = await visitOf(request, options, { ...shared, address })
    if (path === '/robots.txt') return { body: robotsFor(visit), type: '.txt' }
    if (path === '/sitemap.xml') return { body: await sitemapFor(visit), type: '.xml' }
    return pageWith(await headOf(visit, routeOf(path)))
  }

  return async (request, address) => {
    const path = new URL(request.url).pathname
    const response = path.startsWith(api)
      ? await apiResponse(request, address, path.slice(api.length))
      : await serveFile(request, path, () => pageAt(request, address, path)).catch(errorResponse)
    for (const [name, value] of Object.entries(safeHeaders)) response.headers.set(name, value)
    return response
  }
}
