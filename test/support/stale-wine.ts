import { tableClient } from '../../shared/platform/table/table.ts'

type Item = { pk?: unknown; sk?: unknown }
type Output = { Responses?: Record<string, Item[]> }

const placeOf = ({ pk, sk }: Item): string => JSON.stringify([pk, sk])
const isWine = ({ pk }: Item): boolean => /^m#\d+#wines$/.test(String((pk as { S?: string })?.S ?? pk))

/**
 * Returns a function that does some work whose first batch of reads has each wine as the first such read of it did: reads
 * see a transaction item by item.
 */
export const staleWines = () => {
  const first = new Map<string, Item>()
  let isStale = false
  tableClient.middlewareStack.add(
    next => async args => {
      const result = await next(args)
      for (const items of Object.values((result.output as Output).Responses ?? {})) {
        if (!Array.isArray(items)) continue
        for (const [n, item] of items.entries()) {
          if (!isWine(item)) continue
          if (isStale) items[n] = first.get(placeOf(item)) ?? item
          else if (!first.has(placeOf(item))) first.set(placeOf(item), structuredClone(item))
          isStale = false
        }
      }
      return result
    },
    { step: 'initialize', priority: 'high', name: 'stale' },
  )
  return <T>(act: () => Promise<T>): Promise<T> => {
    isStale = true
    return act()
  }
}
