import * as v from 'valibot'
import { parseMoney } from '../../money.ts'
import type { PaymentView } from '../provider.ts'

const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/))
const Text = v.pipe(v.string(), v.maxLength(255))
const Amount = v.object({
  currency_code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  // v.number() refuses the undefined of a text that is no amount.
  value: v.pipe(
    v.string(),
    v.transform((text: string) => parseMoney(text)),
    v.number(),
  ),
})

const Capture = v.object({
  id: Id,
  status: Text,
  amount: Amount,
  custom_id: v.nullish(Text),
  final_capture: v.nullish(v.boolean()),
})

const Unit = v.object({
  amount: v.nullish(Amount),
  custom_id: v.nullish(Text),
  payments: v.nullish(v.object({ captures: v.nullish(v.array(Capture)) })),
})

/** An order at PayPal, as far as this service reads it. It sends one purchase unit, so more are not its own. */
export const Order = v.object({
  id: Id,
  status: Text,
  purchase_units: v.nullish(v.pipe(v.array(Unit), v.maxLength(1))),
  payer: v.nullish(v.object({ payer_id: v.nullish(Text) })),
})
export type Order = v.InferOutput<typeof Order>

/** The answer to a new order: its id and the links that belong to it. */
export const Created = v.object({ id: Id, links: v.array(v.object({ rel: v.string(), href: v.string() })) })

/** A refund of a capture. */
export const Refund = v.object({ id: Id, status: Text, amount: v.nullish(Amount) })

/** An access token; `expires_in` in seconds. */
export const Token = v.object({
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4096}$/)),
  expires_in: v.pipe(v.number(), v.minValue(0)),
})

const Issue = v.pipe(v.string(), v.regex(/^[A-Z0-9_]{1,64}$/))
const Refusal = v.object({
  name: v.fallback(v.nullish(Issue), null),
  details: v.fallback(v.nullish(v.array(v.object({ issue: v.fallback(v.nullish(Issue), null) }))), null),
  debug_id: v.fallback(v.nullish(Id), null),
})

/** What a refusal says, in PayPal's own words: what is safe to log, and to decide on. */
export type Reason = { name: string | null; issue: string | null; debugId: string | null }

/** Reads a refusal's body; nothing in it is relied upon to be there. */
export const reasonIn = (json: unknown): Reason => {
  const { success, output } = v.safeParse(Refusal, json)
  if (!success) return { name: null, issue: null, debugId: null }
  return {
    name: output.name ?? null,
    issue: output.details?.[0]?.issue ?? null,
    debugId: output.debug_id ?? null,
  }
}

type State = PaymentView['state']

const orderStates = new Map<string, State>([
  ['CREATED', 'open'],
  ['SAVED', 'open'],
  ['PAYER_ACTION_REQUIRED', 'open'],
  ['APPROVED', 'approved'],
  ['VOIDED', 'cancelled'],
])

const captureStates = new Map<string, State>([
  ['COMPLETED', 'captured'],
  ['DECLINED', 'declined'],
  ['FAILED', 'declined'],
  ['REFUNDED', 'cancelled'],
])

type Captured = v.InferOutput<typeof Capture>

// After a declined attempt the payer may have paid by other means.
const decisive = (captures: readonly Captured[]): Captured | undefined =>
  captures.find(({ status }) => status === 'COMPLETED') ??
  captures.find(({ status }) => status === 'PENDING') ??
  captures[0]

const stateOf = ({ status, final_capture }: Captured): State => {
  const state = captureStates.get(status) ?? 'pending'
  return state === 'captured' && final_capture !== true ? 'pending' : state
}

/** Whether the order's answer says what became of the money. */
export const hasCapture = ({ purchase_units }: Order): boolean =>
  (purchase_units?.[0]?.payments?.captures?.length ?? 0) > 0

/**
 * An order as the port sees it. Once there is a capture, it alone decides: its status, amount and custom id. A status
 * unknown here is pending, never paid; so is a capture that is not the final one.
 */
export const viewOf = (order: Order): PaymentView => {
  const unit = order.purchase_units?.[0]
  const capture = decisive(unit?.payments?.captures ?? [])
  const amount = (capture ?? unit)?.amount
  return {
    state: capture ? stateOf(capture) : (orderStates.get(order.status) ?? 'pending'),
    amount: amount?.value ?? null,
    currency: amount?.currency_code ?? null,
    customId: capture?.custom_id ?? unit?.custom_id ?? null,
    payerId: order.payer?.payer_id ?? null,
    captureId: capture?.id ?? null,
    refunded: null,
    reason: null,
  }
}

/** A payment of which nothing but its state is known. */
export const bareView = (state: State): PaymentView => ({
  state,
  amount: null,
  currency: null,
  customId: null,
  payerId: null,
  captureId: null,
  refunded: null,
  reason: null,
})
