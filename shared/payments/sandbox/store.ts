import { randomBytes } from 'node:crypto'
import { absent, type Change, type Clause, equals, oneOf } from '../../platform/table/expressions.ts'
import { ConditionFailed } from '../../platform/table/failures.ts'
import type { SandboxBehaviour, SandboxPaymentItem } from '../../platform/table/items.ts'
import { key } from '../../platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../platform/table/table.ts'
import type { OpenRequest } from '../provider.ts'

/** What the sandbox does when the money is taken: as told at the approve page. */
export const behaviours = ['prompt', 'pending', 'slow', 'lost'] as const

/** What can be chosen at the approve page: of an unpaid payment the first three, of a pending one the others. */
export const choices = ['approve', 'decline', 'cancel', 'settle', 'fail'] as const
export type Choice = (typeof choices)[number]

const newNonce = (): string => randomBytes(16).toString('hex')

const newPayerId = (): string => randomBytes(7).toString('hex').slice(0, 13).toUpperCase()

/** The payment of an id, or undefined. */
export const findSandboxPayment = (id: string): Promise<SandboxPaymentItem | undefined> =>
  getItem(key('sandboxPayment', { id }))

/** Stores a new payment; one that is there already stays as it is. */
export const addSandboxPayment = async (id: string, request: OpenRequest): Promise<void> => {
  const { payment, order, merchantName, amount, currency, returnUrl, cancelUrl } = request
  const item: SandboxPaymentItem = {
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
  await putItem(key('sandboxPayment', { id }), item, { when: [absent] }).catch(error => {
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** Changes a payment if the clauses hold; else returns what stands there, with `changed: false`. */
export const changeSandboxPayment = async (
  id: string,
  change: Change<SandboxPaymentItem>,
  when: readonly Clause<SandboxPaymentItem>[],
): Promise<{ changed: boolean; payment: SandboxPaymentItem | undefined }> => {
  try {
    return {
      changed: true,
      payment: await updateItem(key('sandboxPayment', { id }), change, when),
    }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return { changed: false, payment: await findSandboxPayment(id) }
  }
}

/** Whether the payer may (still, or again) choose to pay: as at PayPal, also after declining or cancelling. */
export const isPayable = ({ state, captures }: SandboxPaymentItem): boolean =>
  captures === 0 && (state === 'open' || state === 'declined' || state === 'cancelled')

const payable = [equals('captures', 0), oneOf('state', ['open', 'declined', 'cancelled'])] as const

const outcomeOf = (choice: Choice, behaviour: SandboxBehaviour): Partial<SandboxPaymentItem> => {
  if (choice === 'approve') return { state: 'approved', behaviour, payerId: newPayerId() }
  // As at PayPal, the refusal shows when the money is to be taken.
  if (choice === 'decline') return { state: 'approved', behaviour: 'decline', payerId: newPayerId() }
  if (choice === 'cancel') return { state: 'cancelled' }
  return choice === 'settle' ? { state: 'captured', effective: Date.now() } : { state: 'declined' }
}

/**
 * Writes what was chosen at the approve page. Returns undefined when the form was used before, or the payment has
 * moved on meanwhile.
 */
export const choose = async (
  id: string,
  { nonce, choice, behaviour }: { nonce: string; choice: Choice; behaviour: SandboxBehaviour },
): Promise<SandboxPaymentItem | undefined> => {
  const from = choice === 'settle' || choice === 'fail' ? ([equals('state', 'pending')] as const) : payable
  const set = { ...outcomeOf(choice, behaviour), nonce: newNonce() }
  const { changed, payment } = await changeSandboxPayment(id, { set }, [equals('nonce', nonce), ...from])
  return changed ? payment : undefined
}
