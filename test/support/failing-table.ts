import { tableClient } from '../../shared/platform/table/table.ts'

/** The parts of a transaction's request that tests look at. */
export type TransactionInput = { TransactItems?: { Put?: { Item: { pk: string } } }[] }

const lost = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' })

/** Makes requests fail during some work: before they take effect, or by losing the answer. */
export const failing = async <T>(
  fails: (command: string, input: TransactionInput) => 'before' | 'after' | undefined,
  act: () => Promise<T>,
): Promise<T> => {
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        const when = fails(commandName, args.input as TransactionInput)
        if (when === 'before') throw lost()
        const result = await next(args)
        if (when === 'after') throw lost()
        return result
      },
    { step: 'initialize', name: 'failing' },
  )
  return act().finally(() => tableClient.middlewareStack.remove('failing'))
}

export const isTransaction = (command: string): boolean => command.startsWith('TransactWrite')
