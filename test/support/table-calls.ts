import { tableClient } from '../../shared/platform/table/table.ts'

/** A call of the table: the SDK's command, its input as JSON, and the number of actions of a transaction. */
export type TableCall = { name: string; text: string; actions: number }

type Around = (call: TableCall, act: () => Promise<unknown>) => Promise<unknown> | unknown

export const isOrderWrite = ({ name, text }: TableCall): boolean =>
  name.startsWith('TransactWrite') && text.includes('order-uuids')

/** The error of a call that the table did not answer. */
export const noAnswer = (): Error => Object.assign(new Error('no answer'), { name: 'TimeoutError' })

/** The error of a transaction some of whose actions' conditions failed. The first action of an order takes its number. */
export const refusal = ({ actions }: TableCall, hasFailed: (n: number, last: number) => boolean): Error =>
  Object.assign(new Error('no'), {
    name: 'TransactionCanceledException',
    CancellationReasons: Array.from({ length: actions }, (_, n) => ({
      Code: hasFailed(n, actions - 1) ? 'ConditionalCheckFailed' : 'None',
    })),
  })

/**
 * Records the calls of the table. `around` is called in place of each call, `atWrite` once, in place of the next transaction
 * that places orders; `act` performs the call. Both are reset after each test.
 */
export const tableCalls = () => {
  const table: { calls: TableCall[]; around: Around | undefined; atWrite: Around | undefined } = {
    calls: [],
    around: undefined,
    atWrite: undefined,
  }
  tableClient.middlewareStack.add(
    (next, { commandName: name = '' }) =>
      async args => {
        const { TransactItems = [] } = args.input as { TransactItems?: object[] }
        const call = { name, text: JSON.stringify(args.input), actions: TransactItems.length }
        table.calls.push(call)
        const { around, atWrite } = table
        const act = () => next(args)
        if (!atWrite || !isOrderWrite(call)) return (around ? around(call, act) : act()) as ReturnType<typeof next>
        table.atWrite = undefined
        return atWrite(call, act) as ReturnType<typeof next>
      },
    { step: 'initialize', priority: 'high', name: 'table calls' },
  )
  beforeEach(() => {
    Object.assign(table, { calls: [], around: undefined, atWrite: undefined })
  })
  return table
}
