import { AsyncLocalStorage } from 'node:async_hooks'
import { tableClient } from '../../shared/platform/table/table.ts'
import { silent } from './table-hook.ts'

/** A death at the n-th call of the table, counted from 1, before or after that call took effect. */
export type Death = { call: number; isAfter: boolean }

/** Returns a function that does some work, true if it succeeds; work that dies writes and reads nothing any more. */
export const mortalRequests = () => {
  const requests = new AsyncLocalStorage<{ isDead: boolean; left: number; isAfter: boolean }>()
  tableClient.middlewareStack.add(
    next => async args => {
      const request = requests.getStore()
      if (!request) return next(args)
      if (request.isDead) silent()
      request.isDead = --request.left === 0
      if (!request.isDead) return next(args)
      if (request.isAfter) await next(args)
      return silent()
    },
    { step: 'initialize', priority: 'high', name: 'deaths' },
  )
  afterAll(() => tableClient.middlewareStack.remove('deaths'))
  return (act: () => Promise<unknown>, { call, isAfter }: Death = { call: 0, isAfter: false }): Promise<boolean> =>
    requests.run({ isDead: false, left: call, isAfter }, () =>
      act().then(
        () => true,
        () => false,
      ),
    )
}

/** Each death at one of the first calls. */
export const deaths = (calls: number): readonly Death[] =>
  Array.from({ length: 2 * calls }, (_, n) => ({ call: 1 + Math.floor(n / 2), isAfter: n % 2 === 1 }))
