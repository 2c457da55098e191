import * as v from 'valibot'
import { parseTotal } from '../../values/money.ts'

const maxBytes = 64 * 1024

/** The body of a response is larger than 64 KB. */
export class TooLarge extends Error {}

/** Reads the body of a response. Throws TooLarge. */
export const cappedBody = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The value of a JSON text; undefined for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/))
const Text = v.pipe(v.string(), v.maxLength(255))
const Amount = v.object({
  currency_code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  // v.number() refuses undefined, which is the result for a text that is not an amount.
  value: v.pipe(
    v.string(),
    v.transform((text: string) => parseTotal(text)),
    v.number(),
  ),
})

// A malformed reason must not hide the money.
const Issue = v.pipe(v.string(), v.regex(/^[A-Z0-9_]{1,64}$/))
const Word = v.fallback(v.nullish(Issue), null)

const Capture = v.object({
  id: Id,
  status: Text,
  status_details: v.fallback(v.nullish(v.object({ reason: Word })), null),
  amount: Amount,
  custom_id: v.nullish(Text),
  final_capture: v.nullish(v.boolean()),
})
export type Capture = v.InferOutput<typeof Capture>

// Ids of refunds that others made are only counted.
export const Refund = v.object({ id: Text, status: Text, amount: v.nullish(Amount) })
export type Refund = v.InferOutput<typeof Refund>

const Unit = v.object({
  amount: v.nullish(Amount),
  custom_id: v.nullish(Text),
  payments: v.nullish(v.object({ captures: v.nullish(v.array(Capture)), refunds: v.nullish(v.array(Refund)) })),
})

/** The fields of an order that are read. This service sends one purchase unit, so an order with more is refused. */
export const Order = v.object({
  id: Id,
  status: Text,
  purchase_units: v.nullish(v.pipe(v.array(Unit), v.maxLength(1))),
  payer: v.nullish(v.object({ payer_id: v.nullish(Text) })),
  payment_source: v.nullish(v.object({ paypal: v.nullish(v.object({ account_id: v.nullish(Text) })) })),
})
export type Order = v.InferOutput<typeof Order>

export const Created = v.object({ id: Id, links: v.array(v.object({ rel: v.string(), href: v.string() })) })

/** `expires_in` is in seconds. */
export const Token = v.object({
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4096}$/)),
  expires_in: v.pipe(v.number(), v.minValue(0)),
})

const Refusal = v.object({
  name: Word,
  details: v.fallback(v.nullish(v.array(v.object({ issue: Word }))), null),
  debug_id: v.fallback(v.nullish(Id), null),
})

/** The parts of a refusal that are safe to log. */
export type Reason = { name: string | null; issue: string | null; debugId: string | null }

/** Reads a refusal's body; every field may be missing. */
export const reasonIn = (json: unknown): Reason => {
  const { success, output } = v.safeParse(Refusal, json)
  if (!success) return { name: null, issue: null, debugId: null }
  return {
    name: output.name ?? null,
    issue: output.details?.[0]?.issue ?? null,
    debugId: output.debug_id ?? null,
  }
}
