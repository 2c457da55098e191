import { randomUUID } from 'node:crypto'
import { count, log } from '../../platform/log.ts'
import { TransactionRefused } from '../../platform/table/failures.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { getItemGroups } from '../../platform/table/table.ts'
import { type Action, transact } from '../../platform/table/transact.ts'
import { counterKeys, numbersIn } from '../numbering/numbers.ts'
import type { Commit, QueuedOrder, Rejected } from '../numbering/queue.ts'
import { takenOf } from './order-lines.ts'
import { type Draft, decodeDraft } from './queued-draft.ts'
import { stockIn, stockKeys } from './references.ts'
import { actionsOf, type PreparedOrder, type Present, placeActions, prepare } from './transaction.ts'

// DynamoDB allows 100 actions and 4 MB in one transaction. Left free are the actions for the numbers, and the bytes of
// names, keys and what is only changed.
const mostActions = 95
const mostBytes = 3_500_000

type Readable = { waiting: QueuedOrder; draft: Draft }
type Member = { prepared: PreparedOrder; actions: Action[] }
type Group = { members: Member[]; outs: Rejected[] }

/** Counts orders that were placed. */
export const countOrders = (orders: readonly PreparedOrder[]): void => {
  for (const { order } of orders) {
    count('Orders')
    count('Turnover', Number(order.header.gross))
  }
}

/** What an order writes, and what its large items take. */
const memberOf = (merchant: MerchantId, prepared: PreparedOrder): Member & { bytes: number } => {
  const { order, parts, newParties } = prepared
  const json = JSON.stringify([order, newParties])
  const bytes = Buffer.byteLength(json) + parts.reduce((sum, { length }) => sum + length, 0)
  return { prepared, actions: actionsOf(merchant, prepared), bytes }
}

/** What an act makes of another's order; an error is ours, and harms no order beside. */
const unlessFailing = <T>(merchant: MerchantId, uuid: string, outs: Rejected[], act: () => T): T | undefined => {
  try {
    return act()
  } catch (error) {
    log.error('an order that waits cannot be placed along', { error, customers_id: merchant, uuid })
    outs.push({ uuid, why: 'failed' })
    return undefined
  }
}

const readAll = (merchant: MerchantId, all: readonly QueuedOrder[], outs: Rejected[]): Readable[] =>
  all.flatMap(waiting => {
    const { uuid } = waiting
    const read = unlessFailing(merchant, uuid, outs, () => decodeDraft(waiting) ?? 'another version')
    if (read === 'another version') outs.push({ uuid, why: read })
    return read && read !== 'another version' ? [{ waiting, draft: read }] : []
  })

/** The numbers of this moment, and the stock of everything that is to be sold. */
const readPresent = async (merchant: MerchantId, all: readonly Readable[]): Promise<Present> => {
  const lines = all.flatMap(({ draft }) => draft.sold.positions)
  const ids = (type: 'wine' | 'product') => [
    ...new Set(lines.flatMap(line => (line.item_type === type ? [line.item_id] : []))),
  ]
  const [wines, products] = [ids('wine'), ids('product')]
  const found = await getItemGroups({ numbers: counterKeys(merchant), ...stockKeys(merchant, wines, products) })
  const numbers = numbersIn(found.numbers)
  if (!numbers) throw new Error(`the merchant ${merchant} lacks its numbers`)
  return { numbers, stock: stockIn(wines, products, found) }
}

const textOf = ({ key: { pk, sk } }: Action): string => `${pk} ${sk}`

/** As many of the orders, from the first on, as one transaction can hold; and whom of those it cannot. */
const groupOf = (merchant: MerchantId, all: readonly Readable[], { numbers: before, stock }: Present): Group => {
  const [members, outs]: [Member[], Rejected[]] = [[], []]
  const left = { wine: new Map(stock.wine), product: new Map(stock.product) }
  const places = new Set<string>()
  const goods = new Set<string>()
  let [numbers, bytes] = [before, 0]
  for (const { waiting, draft } of all) {
    const { uuid } = waiting
    const taken = takenOf(draft.sold.positions, left)
    if (taken.some(({ type, id, quantity }) => quantity > (left[type].get(id) ?? 0))) {
      outs.push({ uuid, why: 'sold out' })
      continue
    }
    const next = unlessFailing(merchant, uuid, outs, () => memberOf(merchant, prepare(draft, { numbers, stock: left })))
    if (!next) continue
    const actions = [...next.actions, waiting.dequeue]
    const theirs = new Set([...goods, ...taken.map(({ type, id }) => `${type} ${id}`)])
    const fits = places.size + actions.length + theirs.size <= mostActions && bytes + next.bytes <= mostBytes
    if (members.length > 0 && !fits) break
    if (actions.some(action => places.has(textOf(action)))) {
      outs.push({ uuid, why: 'meets another order' })
      continue
    }
    for (const action of actions) places.add(textOf(action))
    for (const good of theirs) goods.add(good)
    for (const { type, id, quantity } of taken) left[type].set(id, (left[type].get(id) ?? 0) - quantity)
    members.push({ prepared: next.prepared, actions: actions.map(one => ({ ...one, name: `${uuid} ${one.name}` })) })
    bytes += next.bytes
    numbers = next.prepared.numbers
  }
  return { members, outs }
}

// Whoever took an order's number has an order there, and who is out of the line is so already.
const ofOwn = /^(\S{36}) (?!order$|part |waiting$)/

/** The orders of which something else than their numbers was refused. */
const refusedIn = (error: TransactionRefused): Rejected[] => {
  const uuids = Object.keys(error.reasons).flatMap(name => (error.failed(name) && ofOwn.exec(name)?.[1]) || [])
  return [...new Set(uuids)].map(uuid => ({ uuid, why: 'refused' }))
}

/** Places orders that wait in line, in one transaction. What it puts out may try itself, and is told why it cannot. */
export const groupCommit =
  (merchant: MerchantId): Commit =>
  async waiting => {
    const unreadable: Rejected[] = []
    const all = readAll(merchant, waiting, unreadable)
    if (all.length === 0) return unreadable
    const present = await readPresent(merchant, all)
    const { members, outs } = groupOf(merchant, all, present)
    const orders = members.map(({ prepared }) => prepared)
    if (orders.length === 0) return [...unreadable, ...outs]
    const actions = members.flatMap(one => one.actions)
    try {
      await transact(placeActions(merchant, present.numbers, orders, actions), randomUUID())
    } catch (error) {
      const refused = error instanceof TransactionRefused ? refusedIn(error) : []
      if (refused.length === 0) throw error
      // What the others lacked counted on the orders that are not there now.
      return [...unreadable, ...refused]
    }
    countOrders(orders)
    return [...unreadable, ...outs]
  }
