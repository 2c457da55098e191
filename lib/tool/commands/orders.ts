import { Argument, type Command } from 'commander'
import { Problem } from '../../../shared/contract/errors.ts'
import { ordersGetAll } from '../../../shared/contract/order-reads.ts'
import type { Order } from '../../../shared/contract/records/order.ts'
import { paymentTypes, type Status, statuses } from '../../../shared/contract/vocabulary.ts'
import { validate } from '../../../shared/http/request.ts'
import { advanceOrder, StepRefused } from '../../../shared/orders/advance.ts'
import {
  acceptPayment,
  cancelManually,
  readPayment,
  refundPayment,
  unsettledPayments,
} from '../../../shared/orders/checkout/review.ts'
import { sweep } from '../../../shared/orders/checkout/sweep.ts'
import { listOrders } from '../../../shared/orders/read.ts'
import type { OrderEvent } from '../../../shared/orders/states.ts'
import { readOrder } from '../../../shared/orders/store.ts'
import type { PaymentItem } from '../../../shared/platform/table/items.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import { formatMoney } from '../../../shared/values/money.ts'
import { listOrdersOfClients } from '../client-orders.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { say } from '../say.ts'

const operator = 'operator'

/** The steps of an operator, and their events of an order. */
const steps = {
  paid: 'money_received',
  pack: 'pack',
  ship: 'ship',
  close: 'close',
} as const satisfies Record<string, OrderEvent>

type Act = (merchant: MerchantId, id: number, options: { byHand?: true }) => Promise<unknown>

const advancing =
  (event: OrderEvent): Act =>
  (merchant, id) =>
    advanceOrder(merchant, id, event, operator)

const acts: Record<string, Act> = {
  ...Object.fromEntries(Object.entries(steps).map(([step, event]) => [step, advancing(event)])),
  cancel: (merchant, id) => cancelManually(merchant, id, operator),
  accept: (merchant, id) => acceptPayment(merchant, id, operator),
  refund: (merchant, id, { byHand }) => refundPayment(merchant, id, operator, byHand ? 'by hand' : 'at the provider'),
}

/** Turns a refusal of an order's step into Refused. */
const refused =
  (id: number) =>
  (error: unknown): never => {
    if (error instanceof StepRefused) throw new Refused(error.message)
    if (error instanceof Problem) throw new Refused(`order ${id}: ${error.message}`)
    throw error
  }

const order = async (merchant: string, number: string, step: string, options: { byHand?: true }): Promise<void> => {
  if (!/^[1-9]\d{0,15}$/.test(number)) throw new Refused(`${number} is not an order number`)
  if (options.byHand && step !== 'refund') throw new Refused('--by-hand is only for refund')
  const { id: owner } = await findMerchant(merchant)
  const id = Number(number)
  await acts[step]?.(owner as MerchantId, id, options).catch(refused(id))
  const { header, documents, payment } = (await readOrder(owner as MerchantId, id)).order
  const papers = Object.entries(documents).flatMap(([kind, all]) => (all.length > 0 ? [`${kind} ${all.length}`] : []))
  const { status = '' } = (payment && (await readPayment(owner as MerchantId, payment))) || {}
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
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  return validate(ordersGetAll.body, { ...asked, page, pageSize: 50, filter: given })
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

const lineOf = ({ order: id, status, amount, taken, refunded, reason, crstamp }: PaymentItem): string => {
  const took = taken ? `, ${formatMoney(taken.amount)} ${taken.currency} taken` : ''
  const back = refunded > 0 ? `, ${formatMoney(refunded)} back` : ''
  return `order ${id}  ${status}  ${formatMoney(amount)} EUR${took}${back}${reason ? `  ${reason}` : ''}  since ${crstamp}`
}

const payments = async (merchant: string): Promise<void> => {
  const { id } = await findMerchant(merchant)
  const { review, waiting } = await unsettledPayments(id as MerchantId)
  for (const payment of waiting) say(lineOf(payment))
  for (const payment of review)
    say(`${lineOf(payment)}: order accept or order ${payment.returned ? 'cancel' : 'refund'} decides`)
  say(`${waiting.length} payments are left to the sweep, ${review.length} need a decision`)
}

const clientOrders = async (merchant: string): Promise<void> => {
  const { id } = await findMerchant(merchant)
  say(`${await listOrdersOfClients(id as MerchantId)} orders are now in the lists of their clients`)
}

/** Adds the commands for orders and payments. */
export const addOrderCommands = (program: Command): void => {
  program
    .command('order')
    .argument('<merchant>', 'id or name')
    .argument('<number>', "the order's number")
    .addArgument(new Argument('<step>', 'the step').choices(Object.keys(acts)))
    .option('--by-hand', 'with refund: the money was already refunded outside this service')
    .description(
      'moves an order: paid (money received), pack, ship, close, cancel; decides about its payment: accept, refund',
    )
    .action(order)

  program
    .command('orders')
    .argument('<merchant>', 'id or name')
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
    .argument('<merchant>', 'id or name')
    .description('lists payments that are not settled, and those that need a decision')
    .action(payments)

  program
    .command('client-orders')
    .argument('<merchant>', 'id or name')
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
