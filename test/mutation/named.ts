/** A mistake that tests once let pass: a text of a file, its replacement, and the test that fails. */
export type KnownMistake = { mistake: string; file: string; text: string; instead: string; test: string; named: string }

const payments = 'test/domain/payments.test.ts'
const prices = 'test/domain/prices.test.ts'

/** Mistakes that must never pass again; a text that its file does not hold any more fails as well. */
export const named: readonly KnownMistake[] = [
  {
    mistake: 'a repeated finish does not ask first',
    file: 'shared/payments/states.ts',
    text: "if (!isRight) return toReview('AMOUNT_MISMATCH', moneyIn(view))",
    instead: "if (claim.mayCapture && !claim.hasRequested) return { set: {}, todo: 'capture' }",
    test: payments,
    named: 'a finish whose answer was lost',
  },
  {
    mistake: 'a lease of a year',
    file: 'shared/payments/states.ts',
    text: 'const leaseMs = 60_000',
    instead: 'const leaseMs = 31_536_000_000',
    test: payments,
    named: 'a finish that died',
  },
  {
    mistake: 'the currency is not checked',
    file: 'shared/payments/states.ts',
    text: 'currency === payment.currency',
    instead: 'true',
    test: payments,
    named: 'another currency',
  },
  {
    mistake: 'the custom id is not checked',
    file: 'shared/payments/states.ts',
    text: 'customId === payment.uuid',
    instead: 'true',
    test: payments,
    named: 'the custom id of another payment',
  },
  {
    mistake: 'captured money of a cancelled order is not marked for refund',
    file: 'shared/orders/checkout/settle.ts',
    text: "await changeClaimed(merchant, stored, { is: 'order_refused', money: { capture_id, payer_id, taken } })",
    instead: '',
    test: payments,
    named: 'money that arrives for a cancelled order',
  },
  {
    mistake: "the price range's tax rate is ignored",
    file: 'shared/orders/placing/order-lines.ts',
    text: 'const { taxrate, ...price } = priceFor(record, references.client)',
    instead: 'const price = priceFor(record, references.client), { taxrate } = record',
    test: prices,
    named: 'a price range has a tax rate of its own',
  },
  {
    mistake: 'free shipping by the net value',
    file: 'shared/orders/placing/pricing.ts',
    text: '.item.gross',
    instead: '.item.net',
    test: prices,
    named: 'from 24.00 on, in a gross order',
  },
  {
    mistake: "a merchant's step writes nothing",
    file: 'shared/orders/advance.ts',
    text: 'await transact(',
    instead: 'void (',
    test: payments,
    named: 'shipped, closed and paid afterwards are stored',
  },
  {
    mistake: 'a sweep stops after the first merchant',
    file: 'shared/merchants/directory.ts',
    text: 'merchants.values()',
    instead: 'merchants.slice(0, 1).values()',
    test: payments,
    named: 'a sweep reconciles the payments of all merchants',
  },
  {
    mistake: 'a sweep without the right to query the index',
    file: 'shared/contract/jobs.ts',
    text: "[...writesOrders.payment, 'queryIndex']",
    instead: 'writesOrders.payment',
    test: payments,
    named: 'only the permissions that its job declares',
  },
  {
    mistake: 'the search for what is to be swept without the right to query the index',
    file: 'shared/contract/jobs.ts',
    text: "directory: ['query'], payment: ['queryIndex']",
    instead: "directory: ['query'], payment: ['query']",
    test: payments,
    named: 'only the permissions that its job declares',
  },
]
