import { join } from 'node:path'
import {
  commonErrors,
  ownClientErrors,
  quotaErrors,
  roleErrors,
  sessionErrors,
  webhookErrors,
} from '../../shared/contract/errors.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'

/** The file in which the tests of a run record refusals: a line a route and word. */
export const seenErrorsFile = (): string => process.env.SEEN_ERRORS ?? join(process.env.TEST_TWIN ?? '', 'seen-errors')

/** The declared words: each route's own; the words of all routes once, with `*` in place of a path. */
export const declaredErrors: readonly string[] = [
  ...[...commonErrors, ...sessionErrors, ...ownClientErrors, ...roleErrors, ...quotaErrors, ...webhookErrors].map(
    word => `* ${word}`,
  ),
  ...[...routes, fallback].flatMap(({ path, errors }) => errors.map(word => `${path} ${word}`)),
]

/** Words that no test over HTTP is sure to produce, with the reason; some occur on a busy machine. */
export const unseenErrors: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['/service/orders/checkout/cancel', '/service/checkouts/cancel'].flatMap(path =>
      ['payment_provider_error', 'payment_provider_timeout'].map(word => [
        `${path} ${word}`,
        'The provider must fail while it pays money back; test/domain/payment-outcomes brings that about in its process.',
      ]),
    ),
  ),
  '/service/payments/decide payment_provider_timeout':
    'The refund must take too long; test/unit/paypal-failures brings that about at each verb.',
  '* temporarily_unavailable':
    'Only more load than the retries carry leads to it; test/unit/reply.test.ts brings one about.',
  '/service/orders/add payment_provider_timeout':
    'The stand-in never opens a payment slowly; test/service/faults.test.ts brings one about in its process.',
  '/service/orders/add order_cancelled':
    'An order must be replaced just while its payment is opened; test/domain/waiting-baskets brings one about in its process.',
  '* internal_error': 'Only a fault of the service leads to it; test/unit/serve-answers.test.ts brings one about.',
}

/** Words that only files of the slow lane see for sure. */
export const slowErrors: readonly string[] = [
  '* webhook_signature_invalid',
  '/docs-assets/{file} asset_not_found',
  '/payments/paypal/webhook payment_provider_error',
  '/payments/paypal/webhook payment_provider_timeout',
  '/service/baskets/addItem insufficient_stock',
  '/service/baskets/edit insufficient_stock',
  '/service/baskets/edit item_unavailable',
  '/service/baskets/editItem insufficient_stock',
  '/service/clients/login client_login_throttled',
  '/service/orders/checkout/cancel order_paid',
]

const hasSeen = (seen: ReadonlySet<string>, declared: string): boolean =>
  declared.startsWith('*') ? [...seen].some(line => line.endsWith(declared.slice(1))) : seen.has(declared)

/** The faults of a whole run: declared words that were never seen, and reasons for undeclared words. */
export const complaintsOf = (
  seen: ReadonlySet<string>,
  declared: readonly string[] = declaredErrors,
  reasons: Readonly<Record<string, string>> = unseenErrors,
): string[] => [
  ...declared.filter(one => !hasSeen(seen, one) && !reasons[one]).map(one => `${one}: declared, but never seen`),
  ...Object.keys(reasons)
    .filter(one => !declared.includes(one))
    .map(one => `${one}: has a reason, but is not declared`),
]
