import type { PaymentStep } from '../../shared/contract/records/order.ts'
import { type Status, statuses } from '../../shared/contract/vocabulary.ts'
import type { OrderRecord } from '../../shared/orders/record.ts'
import { nextStep, type OrderEvent, statusOnAdd } from '../../shared/orders/states.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import type { Sum } from '../../shared/values/money.ts'
import { addSums, formatMoney, parseTotal } from '../../shared/values/money.ts'
import { type Data, type Kept, readAll } from './merchant-data.ts'
import { reckoning } from './order-amounts.ts'
import { isFree, paying } from './order-payments.ts'

type Amounts = { net: string; tax: string; gross: string }

const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const sumOf = ({ net, tax, gross }: Amounts): Sum => ({
  net: parseTotal(net) ?? Number.NaN,
  tax: parseTotal(tax) ?? Number.NaN,
  gross: parseTotal(gross) ?? Number.NaN,
})

const addsUp = (parts: readonly Amounts[], whole: Amounts): boolean => isSame(addSums(parts.map(sumOf)), sumOf(whole))

const isSound = (amounts: Amounts): boolean => {
  const { net, tax, gross } = sumOf(amounts)
  return net + tax === gross
}

/** Numbers that count from 1 to the last number given, each once. */
const dense = (name: string, found: readonly number[], last: number): string[] => {
  const sorted = found.toSorted((a, b) => a - b)
  const isDense = sorted.length === last && sorted.every((number, n) => number === n + 1)
  return unless(isDense, `${name}: ${last} were given, there are ${sorted.length}: ${sorted.slice(0, 20).join(' ')}`)
}

/** Numbers that are each given once, and in each format and period count up with the ids; `{n}` ends them. */
const counted = (name: string, documents: readonly { id: number; number: string }[]): string[] => {
  const last = new Map<string, number>()
  return documents
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id, number }) => {
      const [n = ''] = /\d+$/.exec(number) ?? []
      const before = number.slice(0, number.length - n.length)
      const follows = (last.get(before) ?? Number(n) - 1) + 1 === Number(n)
      last.set(before, Number(n))
      return unless(follows, `${name}: ${number} of id ${id} does not follow the number before it`)
    })
}

const numbering = ({ orders, numbers }: Data): string[] => {
  const headers = orders.map(({ order }) => order.header)
  const documents = orders.map(({ order }) => order.documents)
  const all = (kind: 'invoices' | 'deliveryNotes' | 'creditAdvices') => documents.flatMap(one => [...one[kind]])
  const ids = (kind: 'invoices' | 'deliveryNotes' | 'creditAdvices') => all(kind).map(({ id }) => id)
  const uuids = [
    ...headers.map(({ uuid }) => uuid),
    ...documents.flatMap(one => [...one.invoices, ...one.deliveryNotes, ...one.creditAdvices].map(({ uuid }) => uuid)),
  ]
  return [
    ...dense(
      'order ids',
      headers.map(({ id }) => id),
      numbers.orders,
    ),
    ...dense('invoices', ids('invoices'), numbers.invoices),
    ...dense('delivery notes', ids('deliveryNotes'), numbers.deliveryNotes),
    ...dense('credit advices', ids('creditAdvices'), numbers.creditAdvices),
    ...unless(new Set(uuids).size === uuids.length, 'a uuid occurs twice'),
    ...counted('orders', headers),
    ...counted('invoices', all('invoices')),
    ...counted('delivery notes', all('deliveryNotes')),
    ...counted('credit advices', all('creditAdvices')),
  ]
}

const pointing = ({ orders, pointers, repeats, baskets, payments, partCount }: Data): string[] => {
  const byUuid = new Map(orders.map(({ order }) => [order.header.uuid, order]))
  const known = (what: string, uuid: string) => unless(byUuid.has(uuid), `${what} leads to no order: ${uuid}`)
  return [
    ...orders.flatMap(({ order: { header, basket }, parts, order }) => [
      ...unless(pointers.get(header.uuid) === header.id, `the pointer of order ${header.id} is missing`),
      ...unless(parts === order.parts, `order ${header.id} has ${parts} of ${order.parts} parts`),
      ...unless(
        !basket || header.status === 'cancelled' || baskets.get(basket)?.ordered?.uuid === header.uuid,
        `the basket of order ${header.id} does not know it`,
      ),
    ]),
    ...unless(pointers.size === orders.length, `${pointers.size} pointers to ${orders.length} orders`),
    ...unless(
      partCount === orders.reduce((sum, { parts }) => sum + parts, 0),
      'there are positions of an order that is not there',
    ),
    ...repeats.flatMap(({ uuid }) => known('an Idempotency-Key', uuid)),
    ...[...payments.values()].flatMap(({ order_uuid }) => known('a payment', order_uuid)),
    ...[...baskets.values()].flatMap(({ uuid, ordered }) => {
      if (!ordered) return []
      const order = byUuid.get(ordered.uuid)
      const isOpen = order?.basket === uuid && order.header.status !== 'cancelled'
      return [...known('a basket', ordered.uuid), ...unless(isOpen, `basket ${uuid} is closed by a wrong order`)]
    }),
  ]
}

const adding = ({ order: { header, rebates }, sold }: Kept): string[] => {
  const { id, taxrates } = header
  const lines = [...sold.positions, ...(sold.package ? [sold.package] : []), ...rebates]
  const items = { net: header.item_net, tax: header.item_tax, gross: header.item_gross }
  const rebated = { net: header.rebate_net, tax: header.rebate_tax, gross: header.rebate_gross }
  return [
    ...unless(addsUp(lines, header), `the lines of order ${id} do not add up`),
    ...unless(addsUp(Object.values(taxrates), header), `the tax rates of order ${id} do not add up`),
    ...unless(addsUp(sold.positions, items), `the goods of order ${id} do not add up`),
    ...unless(addsUp(rebates, rebated), `the rebates of order ${id} do not add up`),
    ...unless(
      [...lines, ...Object.values(taxrates), header, items, rebated].every(isSound),
      `net and tax are not gross in order ${id}`,
    ),
    ...unless(!JSON.stringify([header, sold, rebates]).includes('"-0.00"'), `order ${id} writes -0.00`),
  ]
}

const amountsOf = (of: object): unknown[] =>
  ['taxrates', 'net', 'tax', 'gross', 'item_net', 'item_tax', 'item_gross', 'rebate_net', 'rebate_tax', 'rebate_gross']
    .concat(['rebate', 'cashback', 'gross_cashback', 'cashback_period'])
    .map(name => (of as Record<string, unknown>)[name])

const invoiced: ReadonlySet<Status> = new Set<Status>(['need_package', 'in_delivery', 'closed'])

const documenting =
  ({ payments: all }: Data) =>
  ({ order }: Kept): string[] => {
    const { header, documents, history, payment: uuid } = order
    const payment = uuid ? all.get(uuid) : undefined
    const { id, status, paid, delivery_type } = header
    const { invoices, deliveryNotes, creditAdvices, payments } = documents
    const notes = delivery_type === 'none' ? 0 : invoices.length
    // A person may have accepted what was taken at the provider, whatever it was.
    const isAccepted = payment?.reason === 'AMOUNT_MISMATCH' && payment.taken !== null
    const due = isAccepted ? formatMoney(payment.taken?.amount ?? 0) : dueWhenPaid(order)
    // The received amount of a credited order is still published.
    const wasPaid = history.some(({ event }) => event === 'payment_completed' || event === 'money_received')
    const received = payments.map(({ amount }) => amount)
    const money = moved(order)
    return [
      ...unless(money.back <= money.received, `order ${id} got ${money.received} and gave ${money.back} back`),
      ...unless(invoices.length <= 1, `order ${id} has ${invoices.length} invoices`),
      ...unless(invoices.length === 1 || !invoiced.has(status), `order ${id} is ${status} without an invoice`),
      ...unless(
        invoices.length === 0 || invoiced.has(status) || status === 'cancelled',
        `order ${id} is ${status} with an invoice`,
      ),
      ...unless(deliveryNotes.length === notes, `order ${id} has ${deliveryNotes.length} delivery notes`),
      ...unless(
        invoices.every(one => isSame(amountsOf(one), amountsOf(header))),
        `the invoice of order ${id} has other amounts`,
      ),
      ...unless(
        [...invoices, ...deliveryNotes, ...creditAdvices].every(one => one.order_id === id),
        `a document of order ${id} names another order`,
      ),
      ...unless(header.fixed === invoices.length > 0, `order ${id} has fixed ${header.fixed}`),
      ...unless(
        isSame(received, wasPaid && !isFree(header) ? [due] : []),
        `order ${id} (paid: ${paid}) got ${received.join(' ')}`,
      ),
    ]
  }

/** The money that came and went back, as the steps of an order say, in cents. */
const moved = ({ history }: OrderRecord) => {
  const sum = (...states: PaymentStep['state'][]) =>
    history.reduce((total, { payment }) => {
      return payment && states.includes(payment.state)
        ? total + (parseTotal(payment.amount.replace('-', '')) ?? 0) * (payment.amount.startsWith('-') ? -1 : 1)
        : total
    }, 0)
  return { received: sum('received'), back: -sum('refunded', 'returned', 'by_hand') }
}

/** The amount due when the money of an order came: credits before that lower it. */
const dueWhenPaid = ({ header, documents, history }: OrderRecord): string => {
  const paid = history.findIndex(({ event }) => event === 'payment_completed' || event === 'money_received')
  const before = history.slice(0, paid).flatMap(step => step.documents ?? [])
  const credits = before.filter(({ document }) => document === 'credit_advice').length
  const credited = addSums(documents.creditAdvices.slice(0, credits).map(sumOf))
  return formatMoney(sumOf(header).gross - credited.gross)
}

const columns = ['net', 'tax', 'gross'] as const

/** True if amounts are at most others, or the same if they are whole. */
const isWithin = (parts: readonly Amounts[], invoiced: Amounts, isWhole: boolean): boolean => {
  const [sum, limit] = [addSums(parts.map(sumOf)), sumOf(invoiced)]
  return columns.every(column => (isWhole ? sum[column] === limit[column] : sum[column] <= limit[column]))
}

/** Credits are the invoice in parts: line by line, at each tax rate, in total. */
const crediting = ({ order, sold }: Kept): string[] => {
  const { header, documents, credited } = order
  const { id, status, taxrates } = header
  const { creditAdvices: credits, invoices } = documents
  const isWhole = credits.some(({ lines }) => !lines) || credited === 'whole'
  const lines = credits.flatMap(one => one.lines ?? [])
  const positions = [...sold.positions, ...(sold.package ? [sold.package] : [])]
  const piecesLeft = positions.map((line, n) => {
    const own = lines.filter(({ position_id }) => position_id === id * 100 + n + 1)
    return line.quantity - own.reduce((sum, { quantity }) => sum + quantity, 0)
  })
  const ofLines = credits.filter(one => one.lines)
  return [
    ...unless(status !== 'cancelled' || invoices.length === 0 || isWhole, `order ${id} is cancelled and not credited`),
    ...unless(status !== 'need_package' || !isWhole, `order ${id} is ${status} though all of it is credited`),
    ...unless(invoices.length > 0 || credits.length === 0, `order ${id} is credited without an invoice`),
    ...unless(isWithin(credits, header, isWhole), `the credits of order ${id} are not its invoice`),
    ...Object.entries(taxrates).flatMap(([rate, sum]) =>
      unless(
        isWithin(
          credits.flatMap(one => one.taxrates[rate] ?? []),
          sum,
          isWhole,
        ),
        `the credits of order ${id} are not its invoice at ${rate} %`,
      ),
    ),
    ...unless(
      piecesLeft.every(left => left >= 0),
      `order ${id} has a position that is credited too often`,
    ),
    ...unless(
      ofLines.length === 0 ||
        isWhole ===
          positions.every(({ gross }, n) => piecesLeft[n] === 0 || (n >= sold.positions.length && gross === '0.00')),
      `order ${id} is credited ${credited}, with ${piecesLeft.join(' ')} pieces left`,
    ),
    ...ofLines.flatMap(one => {
      const off = { net: one.rebate_net, tax: one.rebate_tax, gross: one.rebate_gross }
      const all = [one, off, ...Object.values(one.taxrates), ...(one.lines ?? [])]
      return [
        ...unless(addsUp([...(one.lines ?? []), off], one), `credit ${one.number} of order ${id} does not add up`),
        ...unless(addsUp(Object.values(one.taxrates), one), `the rates of credit ${one.number} do not add up`),
        ...unless(all.every(isSound), `net and tax are not gross in credit ${one.number}`),
        ...unless(
          columns.every(column => sumOf(one)[column] >= 0 && sumOf(off)[column] <= 0),
          `credit ${one.number} of order ${id} has an amount of the wrong sign`,
        ),
      ]
    }),
  ]
}

/** The state that the history leads to. */
const replayed = ({ header, history }: OrderRecord): Status =>
  history.slice(1).reduce<{ status: Status; paid: boolean }>(
    ({ status, paid }, { event }) => {
      const step = nextStep(status, event as OrderEvent, { paid, isFree: isFree(header) })
      return 'to' in step ? { status: step.to, paid: step.paid } : { status, paid }
    },
    { status: isFree(header) ? 'new' : statusOnAdd(header.payment_type), paid: false },
  ).status

const standing = ({ order }: Kept): string[] => {
  const { id, status } = order.header
  return [
    ...unless(statuses.includes(status), `order ${id} is ${status}`),
    ...unless(replayed(order) === status, `order ${id} is ${status}, but its history says ${replayed(order)}`),
  ]
}

/** Stock before anything was sold, by `wine#12` and `product#3`. */
export type Initial = Readonly<Record<string, number>>

/** How much of an article is back in stock: all of it when an order is cancelled as a whole, else what its credits say. */
const returned = ({ header, documents }: OrderRecord, name: string, quantity: number): number => {
  const credits = documents.creditAdvices
  if (header.status === 'cancelled' && credits.every(({ lines }) => !lines)) return quantity
  const lines = credits.filter(({ restocked }) => restocked).flatMap(one => one.lines ?? [])
  return lines
    .filter(({ item_type, item_id }) => `${item_type}#${item_id}` === name)
    .reduce((sum, line) => sum + line.quantity, 0)
}

const stocking = ({ orders, stock }: Data, initial: Initial): string[] => {
  const sold = new Map<string, number>()
  for (const { order } of orders) {
    for (const { type, id, quantity } of order.counted) {
      const name = `${type}#${id}`
      sold.set(name, quantity - returned(order, name, quantity) + (sold.get(name) ?? 0))
    }
  }
  return [
    ...[...stock].flatMap(([name, quantity]) => unless(quantity >= 0, `stock of ${name} is ${quantity}`)),
    ...Object.entries(initial).flatMap(([name, first]) => {
      const left = first - (sold.get(name) ?? 0)
      return unless(stock.get(name) === left, `stock of ${name} is ${stock.get(name)} instead of ${left}`)
    }),
  ]
}

const counting = ({ order: { counted, header }, sold }: Kept): string[] =>
  counted.flatMap(({ type, id, quantity }) => {
    const lines = sold.positions.filter(line => line.item_type === type && line.item_id === id)
    const taken = lines.reduce((sum, line) => sum + line.quantity, 0)
    return unless(taken === quantity, `order ${header.id} took ${quantity} of ${type} ${id} and sold ${taken}`)
  })

/**
 * Checks the invariants of a merchant's whole data, read by the operator; returns the violations as sentences. Stocks are
 * compared with `initial` less the items of orders that are not cancelled.
 */
export const violations = async (merchant: MerchantId, initial: Initial = {}): Promise<string[]> => {
  const data = await readAll(merchant)
  const perOrder = [adding, reckoning, documenting(data), crediting, paying(data), standing, counting]
  return [
    ...numbering(data),
    ...pointing(data),
    ...stocking(data, initial),
    ...data.orders.flatMap(kept => perOrder.flatMap(check => check(kept))),
  ]
}
