import type { Order } from './books.ts'

export type Verb = 'create' | 'look' | 'capture' | 'refund' | 'lookRefund'

/**
 * The failure of a call: PayPal is `down` (503), `throttles` (429, perhaps with Retry-After), refuses with an
 * `issue` of its own; the connection is `cut` or the answer `slow`, before or after the effect.
 */
export type Mishap =
  | { kind: 'down' }
  | { kind: 'throttle'; retryAfter?: string }
  | { kind: 'issue'; issue: string }
  | { kind: 'cut'; when: 'before' | 'after' }
  | { kind: 'slow'; when: 'before' | 'after'; milliseconds: number }

/** The calls that fail, by brand name, payment or order; of one verb or all; as often as `times`, else every time. */
export type Fault = Mishap & {
  brand?: string
  payment?: string
  order?: string
  verb?: Verb
  times?: number
}

/** A call before its effect. */
export type Target = Pick<Order, 'brand' | 'payment'> & { id?: string }

/** The faults that are laid, in their order. */
export const faultList = () => {
  let laid: (Fault & { left: number })[] = []

  const meets = ({ brand, payment, order, verb }: Fault, called: Verb, target: Target): boolean =>
    (!brand || brand === target.brand) &&
    (!payment || payment === target.payment) &&
    (!order || order === target.id) &&
    (!verb || verb === called)

  return {
    lay: (fault: Fault) => {
      laid.push({ ...fault, left: fault.times ?? Number.POSITIVE_INFINITY })
    },

    /** Takes back the faults of a brand, or all. */
    lift: (brand: string | null) => {
      laid = laid.filter(fault => brand !== null && fault.brand !== brand)
    },

    /** The mishap of a call, used up by it. */
    next: (verb: Verb, target: Target): Mishap | undefined => {
      const fault = laid.find(one => one.left > 0 && meets(one, verb, target))
      if (fault) fault.left--
      return fault
    },
  }
}

export type FaultList = ReturnType<typeof faultList>
