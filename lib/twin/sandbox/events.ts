import { randomBytes, randomUUID, sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { sandboxWebhookId } from '../../../shared/payments/sandbox/module.ts'
import type { Choice } from '../../../shared/payments/sandbox/store.ts'
import type { SandboxPaymentItem } from '../../../shared/platform/table/items.ts'
import { formatMoney } from '../../../shared/values/money.ts'
import type { Page } from '../gateway/gateway.ts'
import type { Signer } from './certificate.ts'

/** The sandbox's events: signed as PayPal's, sent asynchronously, and repeated until the service accepts them. */
export type SandboxEvents = {
  /** Serves the certificate. */
  page: Page
  /** Sends the event of a choice at the approve page, if it causes an event. */
  sendEvent(payment: SandboxPaymentItem, choice: Choice): void
  /** Aborts the events that are still to be sent. */
  close(): Promise<void>
}

const folder = '/v1/notifications/certs/'
const certificateName = 'CERT-sandbox-of-the-twin'

// PayPal's events arrive a few seconds after the payer's choice, when the shop has often finished already.
const delayMs = 2000
const pausesMs = [1000, 4000, 16_000, 60_000]

const money = ({ amount, currency }: SandboxPaymentItem) => ({ currency_code: currency, value: formatMoney(amount) })

const captureOf = (payment: SandboxPaymentItem, status: string) => ({
  id: payment.captureId,
  status,
  amount: money(payment),
  final_capture: true,
  custom_id: payment.payment,
  supplementary_data: { related_ids: { order_id: payment.id } },
})

const approvedOrder = (payment: SandboxPaymentItem) => ({
  id: payment.id,
  status: 'APPROVED',
  purchase_units: [{ amount: money(payment), custom_id: payment.payment }],
})

type WebhookEvent = { event_type: string; resource_type: string; resource: object }

// A payer who cancels causes no event. A payer who will be declined has approved; the refusal shows on capture.
const eventOf: Record<Choice, ((payment: SandboxPaymentItem) => WebhookEvent) | null> = {
  approve: payment => ({
    event_type: 'CHECKOUT.ORDER.APPROVED',
    resource_type: 'checkout-order',
    resource: approvedOrder(payment),
  }),
  decline: payment => eventOf.approve?.(payment) as WebhookEvent,
  cancel: null,
  settle: payment => ({
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource_type: 'capture',
    resource: captureOf(payment, 'COMPLETED'),
  }),
  fail: payment => ({
    event_type: 'PAYMENT.CAPTURE.DENIED',
    resource_type: 'capture',
    resource: captureOf(payment, 'DECLINED'),
  }),
}

type Signed = { headers: Record<string, string>; body: string }

const newId = (): string => `WH-${randomBytes(9).toString('hex').slice(0, 17).toUpperCase()}`

/** An event with the headers that PayPal sends. */
const signEvent = (event: WebhookEvent, url: string, { privateKey }: Signer): Signed => {
  const body = JSON.stringify({ id: newId(), event_version: '1.0', create_time: new Date().toISOString(), ...event })
  const id = randomUUID()
  const time = `${new Date().toISOString().slice(0, 19)}Z`
  const message = `${id}|${time}|${sandboxWebhookId}|${crc32(body)}`
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-auth-version': 'v2',
      'paypal-cert-url': `${url}${folder}${certificateName}`,
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(message), privateKey).toString('base64'),
    },
  }
}

const isAccepted = async (url: string, { headers, body }: Signed, signal: AbortSignal): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/payments/paypal/webhook`, { method: 'POST', headers, body, signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** `urlOf` returns the twin's address. The key is made when it is first needed. */
export const sandboxEvents = (urlOf: () => string): SandboxEvents => {
  const closing = new AbortController()
  const { signal } = closing
  const sending = new Set<Promise<void>>()
  let signer: Promise<Signer> | undefined
  const theSigner = (): Promise<Signer> => {
    signer ??= import('./certificate.ts').then(({ makeSigner }) => makeSigner())
    return signer
  }

  const send = async (event: WebhookEvent): Promise<void> => {
    const delivery = signEvent(event, urlOf(), await theSigner())
    for (const before of [delayMs, ...pausesMs]) {
      await pause(before, undefined, { signal, ref: false })
      if (await isAccepted(urlOf(), delivery, signal)) return
    }
  }

  return {
    page: {
      prefix: folder,
      serve: async ({ method, path }) =>
        method === 'GET' && path === `${folder}${certificateName}`
          ? {
              statusCode: 200,
              headers: { 'content-type': 'application/x-pem-file' },
              body: (await theSigner()).certificate,
            }
          : { statusCode: 404, headers: { 'content-type': 'text/plain' }, body: 'There is no such certificate.' },
    },
    sendEvent: (payment, choice) => {
      const event = eventOf[choice]?.(payment)
      if (!event) return
      // The sweep reconciles payments whose events were not sent.
      const sent: Promise<void> = send(event)
        .catch(() => {})
        .finally(() => sending.delete(sent))
      sending.add(sent)
    },
    close: async () => {
      closing.abort()
      await Promise.all(sending)
    },
  }
}
