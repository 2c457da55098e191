import type { Language } from '../../../shared/contract/labels/labels.ts'
import { behaviours, type Choice, choices } from '../../../shared/payments/sandbox/store.ts'
import type { SandboxBehaviour, SandboxPaymentItem } from '../../../shared/platform/table/items.ts'
import type { Page, PageRequest } from '../gateway/gateway.ts'
import { approvePage, type Html, plainPage } from './page.ts'

export type Checkout = {
  find(id: string): Promise<SandboxPaymentItem | undefined>
  choose(
    id: string,
    chosen: { nonce: string; choice: Choice; behaviour: SandboxBehaviour },
  ): Promise<SandboxPaymentItem | undefined>
  /** Sends the service the event of a choice. */
  sendEvent(payment: SandboxPaymentItem, choice: Choice): void
}

type Redirect = { statusCode: 303; headers: Record<string, string> }

const redirect = ({ id, payerId, returnUrl, cancelUrl }: SandboxPaymentItem, choice: Choice): Redirect => {
  const url = new URL(choice === 'cancel' ? cancelUrl : returnUrl)
  url.searchParams.set('token', id)
  if (choice !== 'cancel') url.searchParams.set('PayerID', payerId ?? '')
  return {
    statusCode: 303,
    headers: { location: url.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  }
}

const wordOf = <T extends string>(words: readonly T[], text: string | null): T | undefined =>
  words.find(word => word === text)

// The language that a browser names first.
const languageOf = ({ 'accept-language': accepted = '' }: PageRequest['headers']): Language =>
  /^de\b/i.test(accepted) ? 'de' : 'en'

const handleChoice = async (
  checkout: Checkout,
  id: string,
  form: URLSearchParams,
  language: Language,
): Promise<Html | Redirect> => {
  const choice = wordOf(choices, form.get('choice'))
  const behaviour = wordOf(behaviours, form.get('behaviour') ?? 'prompt')
  const nonce = form.get('nonce')
  if (!choice || !behaviour || !nonce) return plainPage('illFormed', language)
  const payment = await checkout.choose(id, { nonce, choice, behaviour })
  if (!payment) return plainPage('used', language)
  if (form.get('event') === 'sent') checkout.sendEvent(payment, choice)
  return redirect(payment, choice)
}

/** The sandbox's approve pages: GET shows a payment, POST applies the choice and redirects the payer to the shop. */
export const sandboxCheckout = (checkout: Checkout) =>
  ({
    prefix: '/sandbox/pay/',
    serve: async ({ method, path, headers, body }: Omit<PageRequest, 'query' | 'address'>) => {
      const language = languageOf(headers)
      const [, id = ''] = /^\/sandbox\/pay\/([A-Za-z0-9]{1,64})$/.exec(path) ?? []
      const payment = id && (await checkout.find(id))
      if (!payment) return plainPage('unknown', language)
      if (method === 'POST') return handleChoice(checkout, id, new URLSearchParams(body), language)
      return method === 'GET' || method === 'HEAD' ? approvePage(payment, language) : plainPage('wrongMethod', language)
    },
  }) satisfies Page
