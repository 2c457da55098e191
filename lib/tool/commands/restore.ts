import type { Command } from 'commander'
import { type NumberedKind, NumberingsChange, numberedKinds } from '../../../shared/contract/records/merchant.ts'
import { validate } from '../../../shared/http/request.ts'
import { changeNumbered, readNumbered } from '../../../shared/orders/numbering/change.ts'
import { prepareRestoredTable, UnsuitableTable } from '../../../shared/platform/table/restored-table.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { type Numbered, numbered, raiseNumbers, readNumber } from '../numbers.ts'
import { say } from '../say.ts'

type NumberOptions = Partial<Record<Numbered, string>> & Record<string, string | undefined>

const camel = (flag: string): string => flag.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The formats and next numbers in the options. Throws validation_failed. */
const changeIn = (options: NumberOptions): NumberingsChange => {
  const ofKind = (kind: NumberedKind) => {
    const [number_format, next_number] = [options[camel(`${kind}-format`)], options[camel(`${kind}-next`)]]
    return { ...(number_format && { number_format }), ...(next_number && { next_number }) }
  }
  const entries = numberedKinds.map(kind => [kind, ofKind(kind)] as const)
  const given = entries.filter(([, change]) => Object.keys(change).length > 0)
  return validate(NumberingsChange, Object.fromEntries(given))
}

const numbers = async (name: string, options: NumberOptions): Promise<void> => {
  const { id } = await findMerchant(name)
  const change = changeIn(options)
  const raised = Object.keys(numbered).filter(counter => options[counter] !== undefined)
  await raiseNumbers(id, Object.fromEntries(raised.map(counter => [counter, readNumber(options[counter] ?? '')])))
  const present =
    Object.keys(change).length > 0 ? await changeNumbered(id, { numbers: change }) : await readNumbered(id)
  say(`merchant ${name}, formats and next numbers`)
  for (const [kind, { number_format, next_number }] of Object.entries(present.numbers))
    say(`  ${kind.replace('_', ' ').padEnd(15)} ${number_format.padEnd(20)} ${next_number}`)
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
    .description('shows the formats and next numbers of documents, and changes them; no number is used twice')
    .action(numbers)
  for (const [counter, words] of Object.entries(numbered)) {
    const flag = counter.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    command.option(`--${flag} <last>`, `the last number of ${words} that was used before a restore`)
  }
  for (const kind of numberedKinds) {
    const [flag, words] = [kind.replace('_', '-'), kind.replace('_', ' ')]
    command.option(`--${flag}-format <format>`, `numbers of each new ${words}, as R-{year}-{n:5}`)
    command.option(`--${flag}-next <n>`, `what {n} is in the next ${words}`)
  }
}
