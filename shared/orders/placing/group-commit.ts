import { randomUUID } from 'node:crypto'
import { count, log } from '../../platform/log.ts'
import { TransactionRefused } from '../../platform/table/failures.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItemGroups } from '../../platform/table/table.ts'
import { type Action, transact } from '../../platform/table/transact.ts'
import { counterKeys, numbersIn } from '../numbering/numbers.ts'
import type { Commit, QueuedOrder, Rejected } from '../numbering/queue.ts'
import { takenOf } from './order-lines.ts'
import { type Draft, decodeDraft } from './queued-draft.ts'
import { goodsIds, stockIn, stockKeys } from './references.ts'
import { actionsOf, type PreparedOrder, type Present, placeActions, prepare } from './transaction.ts'

// DynamoDB allows 100 actions and 4 MB in one transaction. The rest is for the actions on numbers, and for names and keys.
const maxActions = 95
const maxBytes = 3_500_000

type ReadableOrder = { queued: QueuedOrder; draft: Draft }
type Member = { prepared: PreparedOrder; actions: Action[] }

/** Counts placed orders in the metrics. */
export const countOrders = (orders: readonly PreparedOrder[]): void => {
  for (const { order } of orders) {
    count('Orders')
    count('Turnover', Number(order.header.gross))
  }
}

const bytesOf = ({ order, parts, newParties }: PreparedOrder): number =>
  Buffer.byteLength(JSON.stringify([order, newParties])) + parts.reduce((sum, { length }) => sum + length, 0)

/** A leader's commit: the drafts that it was given, and those that it rejects. */
class GroupCommit {
  readonly #merchant: MerchantId
  readonly rejected: Rejected[] = []

  constructor(merchant: MerchantId) {
    this.#merchant = merchant
  }

  /** Calls a function on another request's order. An error in it is ours: it rejects that order only. */
  #unlessFailing<T>(uuid: string, act: () => T): T | undefined {
    try {
      return act()
    } catch (error) {
      log.error('a queued order cannot be placed', { error, merchant: this.#merchant, uuid })
      this.rejected.push({ uuid, why: 'failed' })
      return undefined
    }
  }

  decodeAll(all: readonly QueuedOrder[]): ReadableOrder[] {
    return all.flatMap(queued => {
      const { uuid } = queued
      const read = this.#unlessFailing(uuid, () => ({ queued, draft: decodeDraft(queued) }))
      if (!read) return []
      if (read.draft) return [{ queued, draft: read.draft }]
      this.rejected.push({ uuid, why: 'another version' })
      return []
    })
  }

  /** As many of the orders, from the first on, as one transaction can hold. */
  group(all: readonly ReadableOrder[], { merchant, numbers: before, stock }: Present): Member[] {
    const members: Member[] = []
    const left = { wine: new Map(stock.wine), product: new Map(stock.product) }
    const keys = new Set<string>()
    let goods = new Set<string>()
    let [numbers, bytes] = [before, 0]
    for (const { queued, draft } of all) {
      const { uuid } = queued
      const taken = takenOf(draft.sold.positions, left)
      if (taken.some(({ type, id, quantity }) => quantity > (left[type].get(id) ?? 0))) {
        this.rejected.push({ uuid, why: 'sold out' })
        continue
      }
      const next = this.#unlessFailing(uuid, (): Member => {
        const prepared = prepare(draft, { merchant, numbers, stock: left })
        return { prepared, actions: actionsOf(this.#merchant, prepared) }
      })
      if (!next) continue
      const { prepared } = next
      const actions = [...next.actions, queued.dequeue]
      const more = bytesOf(prepared)
      const allGoods = new Set([...goods, ...taken.map(({ type, id }) => `${type} ${id}`)])
      const fits = keys.size + actions.length + allGoods.size <= maxActions && bytes + more <= maxBytes
      if (members.length > 0 && !fits) break
      const written = actions.map(({ key: { pk, sk } }) => `${pk} ${sk}`)
      if (written.some(key => keys.has(key))) {
        this.rejected.push({ uuid, why: 'meets another order' })
        continue
      }
      for (const key of written) keys.add(key)
      for (const { type, id, quantity } of taken) left[type].set(id, (left[type].get(id) ?? 0) - quantity)
      members.push({ prepared, actions: actions.map(one => ({ ...one, name: `${uuid} ${one.name}` })) })
      goods = allGoods
      bytes += more
      numbers = prepared.numbers
    }
    return members
  }
}

/** The merchant, its present numbers, and the stock of everything that is to be sold. */
const readPresent = async (merchant: MerchantId, all: readonly ReadableOrder[]): Promise<Present> => {
  const lines = all.flatMap(({ draft }) => draft.sold.positions)
  const [wines, products] = [goodsIds(lines, 'wine'), goodsIds(lines, 'product')]
  const found = await getItemGroups({
    merchants: [key('merchant', { merchant })],
    numbers: counterKeys(merchant),
    ...stockKeys(merchant, wines, products),
  })
  const [account] = found.merchants
  const numbers = numbersIn(found.numbers)
  if (!account || !numbers) throw new Error(`the merchant ${merchant} lacks its settings or its numbers`)
  return { merchant: account, numbers, stock: stockIn(wines, products, found) }
}

// The request that took an order's number has written its order there; an order that has left the queue needs no rejection.
const ofOwn = /^(\S{36}) (?!order$|part |waiting$)/

/** The orders in which more than their numbers was refused. */
const refusedIn = (error: TransactionRefused): Rejected[] => {
  const uuids = Object.keys(error.reasons).flatMap(name => (error.hasFailed(name) && ofOwn.exec(name)?.[1]) || [])
  return [...new Set(uuids)].map(uuid => ({ uuid, why: 'refused' }))
}

/** Commits queued orders in one transaction. A rejected order is tried by its own request, which returns the reason. */
export const groupCommit =
  (merchant: MerchantId): Commit =>
  async queued => {
    const commit = new GroupCommit(merchant)
    const all = commit.decodeAll(queued)
    if (all.length === 0) return commit.rejected
    const unreadable = [...commit.rejected]
    const present = await readPresent(merchant, all)
    const members = commit.group(all, present)
    const orders = members.map(({ prepared }) => prepared)
    if (orders.length === 0) return commit.rejected
    const actions = members.flatMap(one => one.actions)
    try {
      await transact(placeActions(merchant, present.numbers, orders, actions), randomUUID())
    } catch (error) {
      const refused = error instanceof TransactionRefused ? refusedIn(error) : []
      if (refused.length === 0) throw error
      // The stock that was short may suffice without the refused orders.
      return [...unreadable, ...refused]
    }
    countOrders(orders)
    return commit.rejected
  }
