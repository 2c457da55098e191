import { isError } from '../client/index.ts'
import * as account from './api/account.ts'
import * as basket from './api/basket.ts'
import * as catalogue from './api/catalogue.ts'
import * as checkout from './api/checkout.ts'
import { few, wines } from './api/list.ts'
import { suggest } from './api/suggest.ts'
import { pageWith, safeHeaders, serveFile } from './files.ts'
import { headOf } from './head.ts'
import { newMailbox } from './mailbox.ts'
import { newMatches } from './matches.ts'
import { placeOf } from './pages/router.js'
import { Refusal, refused } from './refusal.ts'
import { robotsFor, sitemapFor } from './sitemap.ts'
import { newTries } from './tries.ts'
import { type ShopOptions, type Visit, visitOf } from './visit.ts'

type Handler = (visit: Visit) => Promise<object>

/** What the pages ask for, below /shop/api/. */
const handlers: Readonly<Record<string, Handler>> = {
  'GET session': catalogue.session,
  'GET start': catalogue.start,
  'GET wines': wines,
  'GET few': few,
  'GET suggest': suggest,
  'GET wine': catalogue.wine,
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
  'GET mailbox': async ({ cookies, mailbox }) => ({ mails: mailbox.read(cookies) }),
}

const api = '/shop/api/'

/** Runs a handler; a visitor whose sign-in has ended goes on as a guest. */
const handled = async (handler: Handler, visit: Visit, { client }: ShopOptions): Promise<object> => {
  try {
    return await handler(visit)
  } catch (error) {
    if (!visit.isSignedIn || !isError(error, 'client_token_invalid')) throw error
    visit.cookies.remove('client')
    return handler({ ...visit, client, isSignedIn: false })
  }
}

/**
 * A wine shop on the service: pages at / and below /shop/, and what they ask for below /shop/api/. The merchant's
 * credential stays here; a visitor has signed cookies that no script can read. `address` is the network address that a
 * request came from: sign-ins are limited by it. Throws a RangeError for an origin that is not this machine's: the shop's
 * mails would be read by others.
 */
export const createShop = (options: ShopOptions): ((request: Request, address: string) => Promise<Response>) => {
  const shared = { mailbox: newMailbox(options.origins), matches: newMatches(), tries: newTries() }

  const answer = async (request: Request, address: string, name: string): Promise<Response> => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const handler = handlers[`${method} ${name}`]
    if (!handler) return refused(new Refusal(404, 'route_not_found'))
    let visit: Visit | undefined
    const reply = await visitOf(request, options, { ...shared, address })
      .then(made => {
        visit = made
        return handled(handler, made, options)
      })
      .then(body => Response.json(body, { headers: { 'cache-control': 'no-store' } }), refused)
    for (const cookie of visit?.cookies.changed() ?? []) reply.headers.append('set-cookie', cookie)
    return reply
  }

  const pageAt = async (request: Request, address: string, path: string) => {
    const visit = await visitOf(request, options, { ...shared, address })
    if (path === '/robots.txt') return { body: robotsFor(visit), type: '.txt' }
    if (path === '/sitemap.xml') return { body: await sitemapFor(visit), type: '.xml' }
    return pageWith(await headOf(visit, placeOf(path)))
  }

  return async (request, address) => {
    const path = new URL(request.url).pathname
    const reply = path.startsWith(api)
      ? await answer(request, address, path.slice(api.length))
      : await serveFile(request, path, () => pageAt(request, address, path)).catch(refused)
    for (const [name, value] of Object.entries(safeHeaders)) reply.headers.set(name, value)
    return reply
  }
}
