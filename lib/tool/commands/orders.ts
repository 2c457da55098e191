import { Argument, type Command } from 'commander'
import { Problem } from '../../../shared/contract/errors.ts'
import type { Order } from '../../../shared/contract/records/order.ts'
import { ordersGetAll } from '../../../shared/contract/routes/order-reads.ts'
import { givenOnly } from '../../../shared/contract/schema/fields.ts'
import { paymentTypes, refunds, type Status, statuses } from '../../../shared/contract/vocabulary.ts'
import { validate } from '../../../shared/http/request.ts'
import { advanceOrder, steps } from '../../../shared/orders/advance.ts'
import { acceptPayment, cancelManually, refundPayment } from '../../../shared/orders/checkout/review.ts'
import { sweep } from '../../../shared/orders/checkout/sweep.ts'
import { creditOrder } from '../../../shared/orders/credit/credit.ts'
import { listOrders } from '../../../shared/orders/read.ts'
import type { OrderEvent } from '../../../shared/orders/states.ts'
import { StepRefused } from '../../../shared/orders/step-refused.ts'
import { readOrder } from '../../../shared/orders/store.ts'
import { unsettledPayments } from '../../../shared/payments/open.ts'
import { readPayment, shownStatus } from '../../../shared/payments/record.ts'
import { givenBackOf } from '../../../shared/payments/refunds.ts'
import type { PaymentItem } from '../../../shared/platform/table/items.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import { formatMoney } from '../../../shared/values/money.ts'
import { listOrdersOfClients } from '../client-orders.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { say } from '../say.ts'

const operator = 'operator'

type ActOptions = Partial<Record<'positions' | 'refund' | 'remark' | 'carrier' | 'tracking', string>> &
  Partial<Record<'byHand' | 'package' | 'restock', true>>

type Act = (merchant: MerchantId, id: number, options: ActOptions) => Promise<unknown>

const advanceBy =
  (event: OrderEvent): Act =>
  (merchant, id, { carrier = null, tracking = null, remark = null }) =>
    advanceOrder(merchant, id, event, operator, { carrier, tracking, remark })

/** Positions in a text such as `101:2,102:1`. */
const positionsIn = (text: string) =>
  text.split(',').map(one => {
    const [, id, quantity] = /^([1-9]\d{0,15}):([1-9]\d{0,3})$/.exec(one.trim()) ?? []
    if (!id) throw new Refused(`${one} is not a position and a number of pieces, such as 101:2`)
    return { id: Number(id), quantity: Number(quantity) }
  })

const creditPositions: Act = async (merchant, id, { positions, refund, remark = null, ...options }) => {
  const way = refunds.find(one => one === refund?.replace('-', '_'))
  if (!way) throw new Refused('--refund must be provider, at-provider, by-hand or none')
  const wish = {
    positions: positions ? positionsIn(positions) : undefined,
    package: options.package === true,
    ...{ refund: way, restock: options.restock === true, remark },
  }
  const { credit, refund: back } = await creditOrder(merchant, { id }, wish, { actor: operator })
  say(`credit advice ${credit.number}: ${credit.gross} EUR${back ? `, ${back.amount} ${back.state}` : ''}`)
}

const acts: Record<string, Act> = {
  ...Object.fromEntries(Object.entries(steps).map(([step, event]) => [step, advanceBy(event)])),
  credit: creditPositions,
  cancel: (merchant, id) => cancelManually(merchant, id, operator),
  accept: (merchant, id) => acceptPayment(merchant, id, operator),
  refund: (merchant, id, { byHand }) => refundPayment(merchant, id, operator, byHand ? 'by hand' : 'at the provider'),
}

/** Turns a refusal of an order's step into Refused. */
const refuseStep =
  (id: number) =>
  (error: unknown): never => {
    if (error instanceof StepRefused) throw new Refused(error.message)
    if (error instanceof Problem) throw new Refused(`order ${id}: ${error.message}`)
    throw error
  }

/** The steps that an option goes with. */
const stepsOf: Readonly<Record<keyof ActOptions, readonly string[]>> = {
  byHand: ['refund'],
  positions: ['credit'],
  package: ['credit'],
  refund: ['credit'],
  restock: ['credit'],
  carrier: ['ship'],
  tracking: ['ship'],
  remark: ['credit', ...Object.keys(steps)],
}

const flagOf = (option: string): string => `--${option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const order = async (merchant: string, number: string, step: string, options: ActOptions): Promise<void> => {
  if (!/^[1-9]\d{0,15}$/.test(number)) throw new Refused(`${number} is not an order number`)
  const wrong = (Object.keys(options) as (keyof ActOptions)[]).find(option => !stepsOf[option].includes(step))
  if (wrong) throw new Refused(`${flagOf(wrong)} is only for ${stepsOf[wrong].join(', ')}`)
  const { id: owner } = await findMerchant(merchant)
  const id = Number(number)
  await acts[step]?.(owner, id, options).catch(refuseStep(id))
  const { header, documents, payment } = (await readOrder(owner, id)).order
  const papers = Object.entries(documents).flatMap(([kind, all]) => (all.length > 0 ? [`${kind} ${all.length}`] : []))
  const stored = payment ? await readPayment(owner, payment) : undefined
  const status = stored ? shownStatus(stored) : ''
  const isOpen = status !== '' && !['captured', 'cancelled', 'refunded'].includes(status)
  say(
    `order ${header.number} is ${header.status}${header.paid ? ', paid' : ''}${papers.length > 0 ? ` (${papers.join(', ')})` : ''}${isOpen ? `; its payment is ${status}` : ''}`,
  )
}

type ListOptions = Partial<Record<'status' | 'paymentType' | 'client' | 'source' | 'from' | 'to' | 'query', string>> & {
  open?: true
  paid?: true
  unpaid?: true
  page: string
}

const isOpen = (status: Status): boolean => status !== 'closed' && status !== 'cancelled'

const wordsIn = (text: string | undefined): string[] | undefined => text?.split(',').map(word => word.trim())

/** The request of orders/getAll for some options. Throws Refused for contradicting options, Problem as the route. */
const wantedOrders = ({ open, paid, unpaid, status, paymentType, client, source, page, ...asked }: ListOptions) => {
  if (open && status) throw new Refused('--open means several statuses: name it or --status')
  if (paid && unpaid) throw new Refused('an order is paid or not: name --paid or --unpaid')
  const filter = {
    status: open ? statuses.filter(isOpen) : wordsIn(status),
    paid: paid || unpaid ? Boolean(paid) : undefined,
    payment_type: wordsIn(paymentType),
    client_id: wordsIn(client),
    source: wordsIn(source),
  }
  return validate(ordersGetAll.body, { ...asked, page, pageSize: 50, filter: givenOnly(filter) })
}

const nameOf = ({ billing }: Order): string => {
  if (!billing) return ''
  const { name, company, first_name, last_name } = { name: null, ...billing }
  return company ?? name ?? [first_name, last_name].filter(Boolean).join(' ')
}

const orderLine = (order: Order): string => {
  const { number, crstamp, status, paid, payment_type, gross, client_id } = order
  const client = client_id === null ? '' : ` (client ${client_id})`
  return `${number}  ${crstamp}  ${status}${paid ? ', paid' : ''}  ${payment_type}  ${gross} EUR  ${nameOf(order)}${client}`
}

const orders = async (merchant: string, options: ListOptions): Promise<void> => {
  const { id } = await findMerchant(merchant)
  try {
    const wanted = wantedOrders(options)
    const { data, totalCount, pages } = await listOrders(id, wanted, wanted.include)
    for (const one of data) say(orderLine(one))
    const more = pages.current < pages.total ? `; --page ${pages.current + 1} shows the next` : ''
    say(`${data.length} of ${totalCount} orders${more}`)
  } catch (error) {
    throw error instanceof Problem ? new Refused(error.message) : error
  }
}

const lineOf = (payment: PaymentItem): string => {
  const { order: id, amount, taken, reason, crstamp } = payment
  const refunded = givenBackOf(payment)
  const status = shownStatus(payment)
  const took = taken ? `, ${formatMoney(taken.amount)} ${taken.currency} taken` : ''
  const back = refunded > 0 ? `, ${formatMoney(refunded)} back` : ''
  return `order ${id}  ${status}  ${formatMoney(amount)} EUR${took}${back}${reason ? `  ${reason}` : ''}  since ${crstamp}`
}

const payments = async (merchant: string): Promise<void> => {
  const { id } = await findMerchant(merchant)
  const { review, waiting } = await unsettledPayments(id)
  for (const payment of waiting) say(lineOf(payment))
  for (const payment of review)
    say(`${lineOf(payment)}: order accept or order ${payment.undecided > 0 ? 'cancel' : 'refund'} decides`)
  say(`${waiting.length} payments are left to the sweep, ${review.length} need a decision`)
}

const clientOrders = async (merchant: string): Promise<void> => {
  const { id } = await findMerchant(merchant)
  say(`${await listOrdersOfClients(id)} orders are now in the lists of their clients`)
}

/** Adds the commands for orders and payments. */
export const addOrderCommands = (program: Command): void => {
  program
    .command('order')
    .argument('<merchant>', 'id, name or AuthID')
    .argument('<number>', "the order's number")
    .addArgument(new Argument('<step>', 'the step').choices(Object.keys(acts)))
    .option('--by-hand', 'with refund: the money was already refunded outside this service')
    .option(
      '--positions <pieces>',
      'with credit: ids of positions and pieces, as 101:2,102:1; all that is left without',
    )
    .option('--package', 'with credit: the package')
    .option('--refund <way>', 'with credit: provider, at-provider, by-hand or none')
    .option('--restock', 'with credit: the pieces are back in stock')
    .option('--carrier <name>', 'with ship: for the delivery note')
    .option('--tracking <number>', 'with ship: for the delivery note')
    .option('--remark <text>', 'for the credit advice, or the history of the order')
    .description(
      'moves an order: paid (money received), pack, ship, close, cancel, credit; decides about its payment: accept, refund',
    )
    .action(order)

  program
    .command('orders')
    .argument('<merchant>', 'id, name or AuthID')
    .option('--open', 'neither closed nor cancelled')
    .option('--status <statuses>', `with one of these statuses, separated by commas: ${statuses.join(', ')}`)
    .option('--paid', 'paid')
    .option('--unpaid', 'not paid')
    .option('--payment-type <types>', `with one of these payment types: ${paymentTypes.join(', ')}`)
    .option('--client <ids>', 'of these clients')
    .option('--source <sources>', 'from these sources')
    .option('--from <day>', 'placed on this day or later, as 2026-01-31')
    .option('--to <day>', 'placed on this day or before')
    .option('--query <text>', 'number, uuid, or a part of a name or mail')
    .option('--page <number>', 'the page of 50 orders', '1')
    .description('lists orders, newest first; several options are combined with and')
    .action(orders)

  program
    .command('payments')
    .argument('<merchant>', 'id, name or AuthID')
    .description('lists payments that are not settled, and those that need a decision')
    .action(payments)

  program
    .command('client-orders')
    .argument('<merchant>', 'id, name or AuthID')
    .description('adds orders from before client accounts to the lists of their clients')
    .action(clientOrders)

  program
    .command('sweep')
    .option('--hours <hours>', 'time limit for the payment of an order', '24')
    .description(
      'cancels orders that were not paid in time and refunds cancelled orders; on AWS it runs every five minutes',
    )
    .action(async ({ hours }: { hours: string }) => {
      if (!/^\d{1,4}$/.test(hours)) throw new Refused(`${hours} is not a number of hours`)
      const { cancelled, paid, refunded, review, left, skipped, failures } = await sweep({ hours: Number(hours) })
      say(
        `${cancelled} orders cancelled, ${paid} paid after all, ${refunded} payments refunded, ${review} need a decision, ${left + skipped} left for later`,
      )
      if (failures.length > 0)
        throw new Refused([...failures, `${failures.length} payments could not be reconciled`].join('\n'))
    })
}
