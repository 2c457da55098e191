import { Command } from 'commander'
import { addMerchantCommands, addTokenCommands } from '../lib/tool/commands/accounts.ts'
import { addFileCommands } from '../lib/tool/commands/files.ts'
import { addGoodsCommands } from '../lib/tool/commands/goods.ts'
import { addOrderCommands } from '../lib/tool/commands/orders.ts'
import { connect, type Target } from '../lib/tool/connect.ts'
import { Refused } from '../lib/tool/merchants.ts'
import { HolderSilent } from '../lib/twin/lock.ts'
import { Unavailable } from '../shared/table/failures.ts'

const program = new Command('npm run merchant --')
  .description('Manages merchants, their API tokens and their records, on this machine or on AWS.')
  .option('--table <name>', "the table's name on AWS; without it, the service on this machine")
  .option('--bucket <name>', "the bucket's name on AWS")
  .option('--stage <name>', 'the stage on AWS, as it was deployed')
  .option('--data-dir <folder>', 'where the service on this machine keeps its data', process.env.DATA_DIR ?? '.local')
  .showHelpAfterError('(add --help for the options)')
program.hook('preAction', () => connect(program.opts<Target>()))

addMerchantCommands(program)
addTokenCommands(program)
addFileCommands(program)
addGoodsCommands(program)
addOrderCommands(program)

/** What the person at the command line can mend; undefined for a fault of the tool itself. */
const mendable = (error: unknown): string | undefined => {
  if (error instanceof Refused || error instanceof HolderSilent) return error.message
  if (error instanceof Unavailable) return `the table does not answer: ${(error.cause as Error).message}`
  const { path, message } = error as NodeJS.ErrnoException
  return path ? message : undefined
}

try {
  await program.parseAsync()
} catch (error) {
  const message = mendable(error)
  if (message === undefined) throw error
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
