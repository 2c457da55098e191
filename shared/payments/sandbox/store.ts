import { randomBytes } from 'node:crypto'
import type { Cents } from '../../money.ts'
import { type Clause, equals } from '../../table/expressions.ts'
import { key } from '../../table/keys.ts'
import { ConditionFailed, getItem, type Item, putItem, updateItem } from '../../table/table.ts'
import type { OpenRequest } from '../provider.ts'

/** What the sandbox does when the money is taken: as told at the approve page. */
export const behaviours = ['prompt', 'pending', 'slow', 'lost'] as const
export type Behaviour = (typeof behaviours)[number] | 'decline'

/** What can be chosen at the approve page: of an unpaid payment the first three, of a pending one the others. */
export const choices = ['approve', 'decline', 'cancel', 'settle', 'fail'] as const
export type Choice = (typeof choices)[number]

/** A payment at the sandbox. */
export type SandboxPayment = {
  id: string
  /** UUID of the payment it was opened for. */
  payment: string
  merchantName: string
  orderNumber: string
  amount: Cents
  currency: 'EUR'
  returnUrl: string
  cancelUrl: string
  state: 'open' | 'approved' | 'declined' | 'cancelled' | 'pending' | 'captured'
  behaviour: Behaviour
  /** What the form of the approve page must bring; every choice makes a new one. */
  nonce: string
  payerId: string | null
  /** How often money was taken: never more than once. */
  captures: number
  captureId: string | null
  /** Milliseconds since 1970 from which the capture shows. */
  effective: number | null
  /** Paid back so far. */
  refunded: Cents
}

const newNonce = (): string => randomBytes(16).toString('hex')

const newPayerId = (): string => randomBytes(7).toString('hex').slice(0, 13).toUpperCase()

/** The payment of an id, or undefined. */
export const findSandboxPayment = (id: string): Promise<(SandboxPayment & Item) | undefined> =>
  getItem<SandboxPayment & Item>(key('sandboxPayment', { id }))

/** Stores a new payment; one that is there already stays as it is. */
export const addSandboxPayment = async (id: string, request: OpenRequest): Promise<void> => {
  const { payment, order, merchantName, amount, currency, returnUrl, cancelUrl } = request
  const item: SandboxPayment = {
    id,
    payment,
    merchantName,
    orderNumber: order.number,
    amount,
    currency,
    returnUrl,
    cancelUrl,
    state: 'open',
    behaviour: 'prompt',
    nonce: newNonce(),
    payerId: null,
    captures: 0,
    captureId: null,
    effective: null,
    refunded: 0,
  }
  const clauses: Clause[] = [{ attribute: 'pk', is: 'absent' }]
  await putItem(key('sandboxPayment', { id }), item, clauses).catch(error => {
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** Changes a payment if the clauses hold; else answers what stands there, with `changed: false`. */
export const changeSandboxPayment = async (
  id: string,
  change: { set: Item; add?: Record<string, number> },
  clauses: readonly Clause[],
): Promise<{ changed: boolean; payment: (SandboxPayment & Item) | undefined }> => {
  try {
    return {
      changed: true,
      payment: await updateItem<SandboxPayment & Item>(key('sandboxPayment', { id }), change, clauses),
    }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return { changed: false, payment: await findSandboxPayment(id) }
  }
}

/** Whether the payer may (still, or again) choose to pay: as at PayPal, also after declining or cancelling. */
export const isPayable = ({ state, captures }: SandboxPayment): boolean =>
  captures === 0 && (state === 'open' || state === 'declined' || state === 'cancelled')

const payable: Clause[] = [
  equals('captures', 0),
  { anyOf: [equals('state', 'open'), equals('state', 'declined'), equals('state', 'cancelled')] },
]

const outcomeOf = (choice: Choice, behaviour: Behaviour): Item => {
  if (choice === 'approve') return { state: 'approved', behaviour, payerId: newPayerId() }
  // As at PayPal, the refusal shows when the money is to be taken.
  if (choice === 'decline') return { state: 'approved', behaviour: 'decline', payerId: newPayerId() }
  if (choice === 'cancel') return { state: 'cancelled' }
  return choice === 'settle' ? { state: 'captured', effective: Date.now() } : { state: 'declined' }
}

/**
 * Writes what was chosen at the approve page. Answers undefined when the form was used before, or the payment has
 * moved on meanwhile.
 */
export const choose = async (
  id: string,
  { nonce, choice, behaviour }: { nonce: string; choice: Choice; behaviour: Behaviour },
): Promise<SandboxPayment | undefined> => {
  const from = choice === 'settle' || choice === 'fail' ? [equals('state', 'pending')] : payable
  const set = { ...outcomeOf(choice, behaviour), nonce: newNonce() }
  const { changed, payment } = await changeSandboxPayment(id, { set }, [equals('nonce', nonce), ...from])
  return changed ? payment : undefined
}
