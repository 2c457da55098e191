import { inspect } from 'node:util'
import { Command, CommanderError } from 'commander'
import { Problem } from '../../shared/contract/errors.ts'
import { log } from '../../shared/platform/log.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { HolderSilent } from '../twin/lock.ts'
import { addMerchantCommands, addTokenCommands } from './commands/accounts.ts'
import { addEventCommands } from './commands/events.ts'
import { addFileCommands } from './commands/files.ts'
import { addGoodsCommands } from './commands/goods.ts'
import { addLawCommands } from './commands/law.ts'
import { addOrderCommands } from './commands/orders.ts'
import { addRestoreCommands } from './commands/restore.ts'
import { connect, type Target } from './connect.ts'
import { Refused } from './merchants.ts'

const merchantTool = (): Command => {
  const program = new Command('npm run merchant --')
    .description('Manages merchants, their API tokens and their records, on this machine or on AWS.')
    .option('--table <name>', "the table's name on AWS; without it, the service on this machine")
    .option('--bucket <name>', "the bucket's name on AWS")
    .option('--stage <name>', 'the stage on AWS, as it was deployed')
    .option('--data-dir <folder>', 'where the service on this machine keeps its data', process.env.DATA_DIR ?? '.local')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()
  program.hook('preAction', () => connect(program.opts<Target>()))

  addMerchantCommands(program)
  addTokenCommands(program)
  addFileCommands(program)
  addGoodsCommands(program)
  addLawCommands(program)
  addOrderCommands(program)
  addEventCommands(program)
  addRestoreCommands(program)
  return program
}

/** The message of an error that the operator can fix; undefined for a fault of the tool itself. */
const messageFor = (error: unknown): string | undefined => {
  if (error instanceof Refused || error instanceof Problem || error instanceof HolderSilent) return error.message
  if (error instanceof Unavailable) return `the table does not answer: ${(error.cause as Error).message}`
  const { path, message, code } = error as NodeJS.ErrnoException
  if (path && code === 'ENOENT') return `there is no file or folder ${path}`
  return path ? message : undefined
}

// Warnings contain the reason of a payment provider's failure, such as the debug id that its support needs.
const warn: typeof log.warn = (message, fields = {}) => {
  process.stderr.write(`${message} ${inspect(fields)}\n`)
}

/**
 * Runs the operator tool with the arguments of a command line, writes refusals to stderr and returns the exit code.
 * Rejects with the tool's own faults.
 */
export const runTool = async (words: readonly string[]): Promise<number> => {
  Object.assign(log, { warn, error: warn })
  try {
    await merchantTool().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has written it already.
    if (error instanceof CommanderError) return error.exitCode
    const message = messageFor(error)
    if (message === undefined) throw error
    process.stderr.write(`${message}\n`)
    return 1
  }
}
