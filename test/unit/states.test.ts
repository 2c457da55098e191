import fc from 'fast-check'
import { type PaymentType, paymentTypes, type Status, statuses } from '../../shared/contract/vocabulary.ts'
import {
  documentsOnEnter,
  entersInvoicing,
  events,
  isExternal,
  moves,
  nextStep,
  type OrderEvent,
  statusOnAdd,
} from '../../shared/orders/states.ts'

const unpaid = { paid: false }
const paid = { paid: true }

describe('the first status', () => {
  test.each<[PaymentType, Status, boolean]>([
    ['paypal', 'new', true],
    ['card', 'new', true],
    ['prepaid', 'need_payment', false],
    ['bank', 'need_payment', false],
    ['invoice', 'need_package', false],
    ['cash', 'need_package', false],
    ['debit', 'need_package', false],
  ])('an order paid by %s begins as %s', (paymentType, status, external) => {
    expect(statusOnAdd(paymentType)).toBe(status)
    expect(isExternal(paymentType)).toBe(external)
  })
})

describe('the table', () => {
  test.each<[Status, OrderEvent, Status, boolean]>([
    ['new', 'payment_completed', 'need_package', true],
    ['new', 'payment_pending', 'need_payment', false],
    ['new', 'cancel', 'cancelled', false],
    ['new', 'expire', 'cancelled', false],
    ['need_payment', 'payment_completed', 'need_package', true],
    ['need_payment', 'money_received', 'payed', true],
    ['need_payment', 'cancel', 'cancelled', false],
    ['need_package', 'cancel', 'cancelled', false],
    ['need_package', 'ship', 'in_delivery', false],
    ['in_delivery', 'close', 'closed', false],
  ])('an unpaid order in %s moves by %s to %s', (from, event, to, paidAfter) => {
    expect(nextStep(from, event, unpaid)).toEqual({ to, paid: paidAfter })
  })

  test.each<[Status, OrderEvent, Status]>([
    ['payed', 'pack', 'need_package'],
    ['need_package', 'ship', 'in_delivery'],
    ['in_delivery', 'close', 'closed'],
  ])('a paid order in %s moves by %s to %s and stays paid', (from, event, to) => {
    expect(nextStep(from, event, paid)).toEqual({ to, paid: true })
  })

  test('a paid order is cancelled only by crediting all of it, or if it was free; it is not paid then', () => {
    expect(nextStep('need_package', 'credit_rest', paid)).toEqual({ to: 'cancelled', paid: false })
    expect(nextStep('need_package', 'cancel', { paid: true, isFree: true })).toEqual({ to: 'cancelled', paid: false })
    expect(nextStep('in_delivery', 'cancel', { paid: true, isFree: true })).toEqual({
      refused: 'order_not_cancellable',
    })
  })

  test('an invoiced order is credited in any status, and stays there once it was shipped', () => {
    for (const order of [paid, unpaid]) {
      expect(nextStep('need_package', 'credit', order)).toEqual({ to: 'need_package', ...order })
      expect(nextStep('need_package', 'credit_rest', order)).toEqual({ to: 'cancelled', paid: false })
      for (const status of ['in_delivery', 'closed'] as const)
        for (const event of ['credit', 'credit_rest'] as const)
          expect(nextStep(status, event, order)).toEqual({ to: status, ...order })
    }
  })

  test.each<Status>([
    'need_package',
    'in_delivery',
    'closed',
  ])('an order on account is paid in %s and stays there', at => {
    expect(nextStep(at, 'money_received', unpaid)).toEqual({ to: at, paid: true })
  })

  test('cancelled and closed have no exits', () => {
    for (const status of ['cancelled', 'closed'] as const)
      for (const to of Object.values(moves[status])) expect(to).toBe(status)
  })
})

describe('a repeated event', () => {
  test.each<[Status, OrderEvent]>([
    ['cancelled', 'cancel'],
    ['cancelled', 'expire'],
    ['need_payment', 'payment_pending'],
    ['need_payment', 'expire'],
    ['need_package', 'expire'],
    ['need_package', 'pack'],
    ['in_delivery', 'ship'],
    ['closed', 'close'],
  ])('%s is left unchanged by %s', (status, event) => {
    expect(nextStep(status, event, unpaid)).toEqual({ unchanged: true })
  })

  test('money that was received again leaves a paid order as it is', () => {
    for (const status of ['payed', 'need_package', 'in_delivery', 'closed'] as const)
      expect(nextStep(status, 'money_received', paid)).toEqual({ unchanged: true })
  })

  test('the sweep never changes a paid order', () => {
    for (const status of statuses) expect(nextStep(status, 'expire', paid)).toEqual({ unchanged: true })
  })
})

describe('a refused event', () => {
  test.each<[Status, { paid: boolean }, string]>([
    ['need_package', paid, 'order_paid'],
    ['payed', paid, 'order_not_cancellable'],
    ['in_delivery', paid, 'order_not_cancellable'],
    ['in_delivery', unpaid, 'order_not_cancellable'],
    ['closed', paid, 'order_not_cancellable'],
    ['closed', unpaid, 'order_not_cancellable'],
  ])('an order in %s (%p) is not cancelled: %s', (status, order, refused) => {
    expect(nextStep(status, 'cancel', order)).toEqual({ refused })
  })

  test.each<OrderEvent>([
    'payment_completed',
    'payment_pending',
    'payment_declined',
    'money_received',
    'pack',
    'ship',
    'close',
  ])('a cancelled order answers %s with order_cancelled and is not revived', event => {
    expect(nextStep('cancelled', event, unpaid)).toEqual({ refused: 'order_cancelled' })
  })

  test('a declined payment leaves the order as it is', () => {
    expect(nextStep('new', 'payment_declined', unpaid)).toEqual({ refused: 'payment_declined' })
    expect(nextStep('need_payment', 'payment_declined', unpaid)).toEqual({ refused: 'payment_declined' })
  })

  test.each<OrderEvent>([
    'payment_completed',
    'payment_pending',
    'payment_declined',
  ])('a paid order answers %s with order_paid', event => {
    for (const status of ['payed', 'need_package', 'in_delivery', 'closed'] as const)
      expect(nextStep(status, event, paid)).toEqual({ refused: 'order_paid' })
  })

  test('an order on account has no payment at a provider', () => {
    expect(nextStep('need_package', 'payment_completed', unpaid)).toEqual({ refused: 'payment_mismatch' })
  })

  test('an order that is paid at a provider cannot be marked as paid by the merchant', () => {
    expect(nextStep('new', 'money_received', unpaid)).toEqual({ refused: 'payment_in_progress' })
  })

  test.each<[Status, OrderEvent]>([
    ['new', 'ship'],
    ['need_payment', 'pack'],
    ['payed', 'ship'],
    ['need_package', 'close'],
    ['closed', 'ship'],
    ['need_payment', 'credit'],
    ['payed', 'credit_rest'],
  ])('a merchant cannot move an order in %s by %s', (status, event) => {
    expect(nextStep(status, event, unpaid)).toEqual({ refused: 'not_in_this_status' })
  })
})

describe('in any sequence of events', () => {
  const course = fc.tuple(fc.constantFrom(...paymentTypes), fc.array(fc.constantFrom(...events), { maxLength: 20 }))
  const rank = (status: Status) => statuses.indexOf(status)

  const steps = ([paymentType, happened]: [PaymentType, OrderEvent[]]) => {
    let order: { status: Status; paid: boolean } = { status: statusOnAdd(paymentType), paid: false }
    return happened.map(event => {
      const step = nextStep(order.status, event, order)
      const before = order
      if ('to' in step) order = { status: step.to, paid: step.paid }
      return { event, before, after: order, step }
    })
  }

  test('every change of status is a row of the table, and no order goes back', () => {
    fc.assert(
      fc.property(course, any => {
        for (const { event, before, after } of steps(any)) {
          if (before.status === after.status) continue
          expect(moves[before.status][event]).toBe(after.status)
          expect(rank(after.status)).toBeGreaterThan(rank(before.status))
          expect(['cancelled', 'closed']).not.toContain(before.status)
        }
      }),
    )
  })

  test('a paid order stays paid, is never cancelled and never waits for money again, unless all of it is credited', () => {
    fc.assert(
      fc.property(course, any => {
        for (const { before, after, event } of steps(any)) {
          if (!before.paid || event === 'credit_rest') continue
          expect(after.paid).toBe(true)
          expect(['new', 'need_payment', 'cancelled']).not.toContain(after.status)
        }
      }),
    )
  })

  test('an order is paid at most once and invoiced at most once', () => {
    fc.assert(
      fc.property(course, any => {
        const course = steps(any)
        expect(course.filter(({ before, after }) => !before.paid && after.paid).length).toBeLessThanOrEqual(1)
        const invoices = [entersInvoicing(undefined, statusOnAdd(any[0]))].concat(
          course.map(({ before, after }) => entersInvoicing(before.status, after.status)),
        )
        expect(invoices.filter(Boolean).length).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('the same event again has no second effect, but for credits', () => {
    const once = events.filter(event => !event.startsWith('credit'))
    fc.assert(
      fc.property(fc.constantFrom(...statuses), fc.constantFrom(...once), fc.boolean(), (status, event, isPaid) => {
        const first = nextStep(status, event, { paid: isPaid })
        if ('to' in first) expect(nextStep(first.to, event, first)).not.toHaveProperty('to')
      }),
    )
  })
})

describe('documents', () => {
  test.each<[Status | undefined]>([
    [undefined],
    ['new'],
    ['need_payment'],
    ['payed'],
  ])('an order entering need_package from %p gets its invoice and delivery note', from => {
    expect(entersInvoicing(from, 'need_package')).toBe(true)
    expect(documentsOnEnter(from, 'need_package', { collected: false })).toEqual(['invoice', 'deliveryNote'])
  })

  test('a collected order gets no delivery note', () => {
    expect(documentsOnEnter(undefined, 'need_package', { collected: true })).toEqual(['invoice'])
  })

  test('an invoiced order that is cancelled gets a credit advice, one without an invoice gets no document', () => {
    expect(documentsOnEnter('need_package', 'cancelled', { collected: false })).toEqual(['creditAdvice'])
    expect(documentsOnEnter('new', 'cancelled', { collected: false })).toEqual([])
    expect(documentsOnEnter('need_payment', 'cancelled', { collected: false })).toEqual([])
  })

  test('every other step creates no document, a payment after the invoice included', () => {
    expect(documentsOnEnter(undefined, 'new', { collected: false })).toEqual([])
    expect(documentsOnEnter('need_package', 'need_package', { collected: false })).toEqual([])
    expect(documentsOnEnter('need_package', 'in_delivery', { collected: false })).toEqual([])
    expect(documentsOnEnter('in_delivery', 'closed', { collected: false })).toEqual([])
  })
})
