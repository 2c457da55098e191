import type { Command } from 'commander'
import { prepareRestoredTable, UnsuitableTable } from '../../../shared/platform/table/restored-table.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { type Numbered, numbered, raiseNumbers, readNumber } from '../numbers.ts'
import { say } from '../say.ts'

const numbers = async (name: string, options: Partial<Record<Numbered, string>>): Promise<void> => {
  const { id } = await findMerchant(name)
  const wanted = Object.fromEntries(Object.entries(options).map(([counter, text]) => [counter, readNumber(text)]))
  const lasts = await raiseNumbers(id, wanted)
  say(`merchant ${name}, last numbers given`)
  for (const [counter, words] of Object.entries(numbered)) say(`  ${words.padEnd(15)} ${lasts[counter as Numbered]}`)
}

const takeRestored = async (program: Command): Promise<void> => {
  const { table, stage } = program.opts<{ table?: string; stage?: string }>()
  if (!table) throw new Refused('name the restored table, and the stage it is for: --table NAME --stage NAME')
  try {
    const stream = await prepareRestoredTable(table)
    say(
      `${table} has its stream, expiry, backups and deletion protection again. Enter it in cdk.json, commit, and deploy:`,
      `  "stages": { "${stage}": { "table": "${table}", "tableStream": "${stream}", … } }`,
      `  npm run deploy -- -c stage=${stage}`,
    )
  } catch (error) {
    throw error instanceof UnsuitableTable ? new Refused(error.message) : error
  }
}

/** Adds the commands for a restore of yesterday's data. */
export const addRestoreCommands = (program: Command): void => {
  program
    .command('restored')
    .description('prepares a table that was restored from a backup for the service, and prints how to deploy with it')
    .action(() => takeRestored(program))

  const command = program
    .command('numbers')
    .argument('<merchant>', 'id, name or AuthID')
    .description('shows the last document numbers; with options, raises them, so that no number is used twice')
    .action(numbers)
  for (const [counter, words] of Object.entries(numbered)) {
    const flag = counter.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    command.option(`--${flag} <last>`, `the last number of ${words} that was used`)
  }
}
