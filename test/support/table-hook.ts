import { AsyncLocalStorage } from 'node:async_hooks'
import { tableClient } from '../../shared/platform/table/table.ts'
import { asOperator } from './used-rights.ts'

type Hook = (name: string, text: string) => Promise<void> | void

/** Throws the error of a table that does not answer. */
export const silent = (): never => {
  throw Object.assign(new Error('no answer'), { name: 'TimeoutError' })
}

/**
 * The returned `hook`, if set, is called before each call of the table until the test is over; an error it throws is the
 * call's. Calls of a hook itself are not hooked.
 */
export const hookedTable = (): { hook: Hook | undefined } => {
  const table: { hook: Hook | undefined } = { hook: undefined }
  const inHook = new AsyncLocalStorage<boolean>()
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        if (table.hook && !inHook.getStore())
          await inHook.run(true, async () => asOperator(() => table.hook?.(commandName, JSON.stringify(args.input))))
        return next(args)
      },
    { step: 'initialize', priority: 'high', name: 'hook' },
  )
  afterEach(() => {
    table.hook = undefined
  })
  return table
}
