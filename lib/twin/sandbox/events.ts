import { randomBytes, randomUUID, sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Choice } from '../../../shared/payments/sandbox/store.ts'
import { sandboxWebhookId } from '../../../shared/payments/sandbox/trust.ts'
import type { SandboxPaymentItem } from '../../../shared/platform/table/items.ts'
import { formatMoney } from '../../../shared/values/money.ts'
import type { Page } from '../gateway/gateway.ts'
import type { Signer } from './certificate.ts'

/** The sandbox's events: as PayPal's, signed, sent a moment later, and sent again until they are taken. */
export type SandboxEvents = {
  /** Where the certificate is fetched. */
  page: Page
  /** Sends the event that belongs to a choice at the approve page, if there is one. */
  tell(payment: SandboxPaymentItem, choice: Choice): void
  /** Ends what is still to be sent. */
  close(): Promise<void>
}

const folder = '/v1/notifications/certs/'
const certificateName = 'CERT-sandbox-of-the-twin'

// PayPal's come a few seconds after the payer has chosen, when the shop has often finished already.
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

type Told = { event_type: string; resource_type: string; resource: object }

// Nothing is told of a payer who turned away. Who is to be declined has approved: it shows when the money is taken.
const told: Record<Choice, ((payment: SandboxPaymentItem) => Told) | null> = {
  approve: payment => ({
    event_type: 'CHECKOUT.ORDER.APPROVED',
    resource_type: 'checkout-order',
    resource: approvedOrder(payment),
  }),
  decline: payment => told.approve?.(payment) as Told,
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
const signed = (event: Told, url: string, { privateKey }: Signer): Signed => {
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

const isTaken = async (url: string, { headers, body }: Signed, signal: AbortSignal): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/payments/paypal/webhook`, { method: 'POST', headers, body, signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** The events of the sandbox of a twin; `urlOf` says where it is served. The key is made when it is first needed. */
export const sandboxEvents = (urlOf: () => string): SandboxEvents => {
  const closing = new AbortController()
  const { signal } = closing
  const sending = new Set<Promise<void>>()
  let signer: Promise<Signer> | undefined
  const theSigner = (): Promise<Signer> => {
    signer ??= import('./certificate.ts').then(({ makeSigner }) => makeSigner())
    return signer
  }

  const send = async (event: Told): Promise<void> => {
    const delivery = signed(event, urlOf(), await theSigner())
    for (const before of [delayMs, ...pausesMs]) {
      await pause(before, undefined, { signal, ref: false })
      if (await isTaken(urlOf(), delivery, signal)) return
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
    tell: (payment, choice) => {
      const event = told[choice]?.(payment)
      if (!event) return
      // What was not sent at the end is what the sweep is there for.
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
