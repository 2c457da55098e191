import { randomBytes } from 'node:crypto'
import { absent, type Change, type Clause, equals, equalsAnyOf } from '../../platform/table/expressions.ts'
import { ConditionFailed } from '../../platform/table/failures.ts'
import type { SandboxBehaviour, SandboxPaymentItem } from '../../platform/table/items.ts'
import { key } from '../../platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../platform/table/table.ts'
import type { OpenRequest } from '../provider.ts'

/** The sandbox's behaviour on capture, as chosen at the approve page. */
export const behaviours = ['prompt', 'pending', 'slow', 'lost'] as const

/** The choices at the approve page: the first three for an unpaid payment, the others for a pending payment. */
export const choices = ['approve', 'decline', 'cancel', 'settle', 'fail'] as const
export type Choice = (typeof choices)[number]

const newNonce = (): string => randomBytes(16).toString('hex')

const newPayerId = (): string => randomBytes(7).toString('hex').slice(0, 13).toUpperCase()

export const findSandboxPayment = (id: string): Promise<SandboxPaymentItem | undefined> =>
  getItem(key('sandboxPayment', { id }))

/** Stores a new payment; an existing payment stays unchanged. */
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

/** Changes a payment if the clauses are true; else returns the stored payment, with `changed: false`. */
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

/** True if the payer may choose to pay: as at PayPal, also after declining or cancelling. */
export const isPayable = ({ state, captures }: SandboxPaymentItem): boolean =>
  captures === 0 && (state === 'open' || state === 'declined' || state === 'cancelled')

const payable = [equals('captures', 0), equalsAnyOf('state', ['open', 'declined', 'cancelled'])] as const

const outcomeOf = (choice: Choice, behaviour: SandboxBehaviour): Partial<SandboxPaymentItem> => {
  if (choice === 'approve') return { state: 'approved', behaviour, payerId: newPayerId() }
  // As at PayPal, the refusal shows on capture.
  if (choice === 'decline') return { state: 'approved', behaviour: 'decline', payerId: newPayerId() }
  if (choice === 'cancel') return { state: 'cancelled' }
  return choice === 'settle' ? { state: 'captured', effective: Date.now() } : { state: 'declined' }
}

/** Applies a choice of the approve page. Returns undefined if the form was used before, or the payment has changed since. */
export const choose = async (
  id: string,
  { nonce, choice, behaviour }: { nonce: string; choice: Choice; behaviour: SandboxBehaviour },
): Promise<SandboxPaymentItem | undefined> => {
  const from = choice === 'settle' || choice === 'fail' ? ([equals('state', 'pending')] as const) : payable
  const set = { ...outcomeOf(choice, behaviour), nonce: newNonce() }
  const { changed, payment } = await changeSandboxPayment(id, { set }, [equals('nonce', nonce), ...from])
  return changed ? payment : undefined
}
