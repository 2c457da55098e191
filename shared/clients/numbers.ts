import type { Client } from '../contract/records/client.ts'
import { absent, present } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { putItem, queryPages, updateItem } from '../platform/table/table.ts'

// Numbers that shops have given on paper or in other programs look like this, too: counting goes on after them.
const counted = /^K-(\d{1,9})$/
const least = 1000

/** The highest count in customer numbers of the form that is counted here; 0 where none is of it. */
const highestCount = (clients: readonly Pick<Client, 'number'>[]): number =>
  clients.reduce((highest, { number }) => Math.max(highest, Number(counted.exec(number ?? '')?.[1] ?? 0)), 0)

const unlessThere = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error
}

/** Begins to count after the numbers that there are. */
const begin = async (merchant: MerchantId): Promise<void> => {
  let value = least
  for await (const entries of queryPages({ pk: partition('client', { merchant }) })) {
    value = Math.max(value, highestCount(entries.map(({ item }) => item)))
  }
  await putItem(key('clientNumbers', { merchant }), { value }, { when: [absent] }).catch(unlessThere)
}

/** Takes the next customer number of a merchant, which no other client has: K-1001, K-1002 … What is not used is left out. */
export const nextClientNumber = async (merchant: MerchantId): Promise<string> => {
  const count = () => updateItem(key('clientNumbers', { merchant }), { add: { value: 1 } }, [present])
  const { value } = await count().catch(async error => {
    unlessThere(error)
    await begin(merchant)
    return count()
  })
  return `K-${value}`
}

/** Lets the next customer numbers come after those of clients that a file brings. */
export const countOnAfter = async (merchant: MerchantId, clients: readonly Pick<Client, 'number'>[]): Promise<void> => {
  const value = highestCount(clients)
  const below = { attribute: 'value', is: '<', value } as const
  await updateItem(key('clientNumbers', { merchant }), { set: { value } }, [below]).catch(unlessThere)
}
