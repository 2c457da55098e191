import { tableClient } from '../../shared/platform/table/table.ts'

type Item = { pk?: unknown }
type Output = { Item?: Item; Items?: Item[]; Responses?: Record<string, Item[]> }

/**
 * Hides the items whose partition key ends with a text from as many reads as a test says, until that test is over: reads
 * see a transaction item by item.
 */
export const hiddenItems = () => {
  let [ending, reads] = ['', 0]
  const isHidden = ({ pk }: Item) => String((pk as { S?: string })?.S ?? pk).endsWith(ending)
  tableClient.middlewareStack.add(
    next => async args => {
      const result = await next(args)
      const output = result.output as Output
      const found = [output.Item ?? [], output.Items ?? [], ...Object.values(output.Responses ?? {})].flat()
      if (reads === 0 || !found.some(isHidden)) return result
      reads--
      if (output.Item) output.Item = undefined
      if (output.Items) output.Items = output.Items.filter(item => !isHidden(item))
      for (const items of Object.values(output.Responses ?? {}))
        items.splice(0, items.length, ...items.filter(item => !isHidden(item)))
      return result
    },
    { step: 'initialize', priority: 'high', name: 'hidden' },
  )
  afterEach(() => {
    reads = 0
  })
  return (partition: string, times: number): void => {
    ending = `#${partition}`
    reads = times
  }
}
