import { writeFile } from 'node:fs/promises'
import { type Command, CommanderError } from 'commander'
import { columnLines } from '../imports/columns.ts'
import { type FileKind, fileKinds } from '../imports/kinds.ts'
import { planLines, refusalText } from '../imports/plan.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { progressBar } from '../progress.ts'
import { say } from '../say.ts'

type ImportOptions = { merchant: string; plan?: boolean; rollOver?: boolean }

const importFile = async (
  kind: FileKind,
  file: string,
  { merchant, plan: onlyPlan, rollOver }: ImportOptions,
): Promise<void> => {
  const { id } = await findMerchant(merchant)
  const { view, traits, warnings, apply } = await kind.prepare(id, file, { rollOver })
  if (traits.length > 0) say(`${file} is read as a file with ${traits.join(', ')}`)
  if (onlyPlan) {
    say(...planLines(view), ...warnings)
    if (view.refusals.length > 0) throw new Refused('the file would not be imported')
    return
  }
  if (view.refusals.length > 0) throw new Refused(refusalText(view))
  const bar = progressBar(kind.name)
  await apply(bar.update)
  const rolledOver = view.rollOvers ? `, ${view.rollOvers.length} rolled over` : ''
  const removed = view.removals ? `, ${view.removals.length} removed` : ''
  bar.stop(
    `${view.additions.length} ${kind.name} added, ${view.changes.length} changed${rolledOver}${removed}, ${view.unchanged} unchanged`,
  )
  if (warnings.length > 0) say(...warnings)
}

const exportFile = async (kind: FileKind, file: string, { merchant }: { merchant: string }): Promise<void> => {
  const { id } = await findMerchant(merchant)
  const { text, count, leftOut } = await kind.write(id, file)
  await writeFile(file, text)
  say(`${count} ${kind.name} in ${file}`)
  if (leftOut > 0) throw new Refused(`${leftOut} are left out: they share a number, by which a row names one record`)
}

/** Adds the commands that import records from files and export them to files. */
export const addFileCommands = (program: Command): void => {
  const importing = program
    .command('import')
    .description('imports records from a file; import <kind> --columns explains its columns')
  const exporting = program.command('export').description('exports records to a file')
  for (const kind of fileKinds) {
    const command = importing
      .command(kind.name)
      .argument('<file>', 'CSV with a header line, or JSON')
      .requiredOption('--merchant <merchant>', 'id, name or AuthID')
      .option('--plan', 'only shows what would change')
      .option('--columns', 'explains the columns of the file')
      // Like --help, it needs neither file nor service.
      .on('option:columns', () => {
        say(...columnLines(kind.columns))
        throw new CommanderError(0, 'weinkontor.columns', 'columns')
      })
      .description(`adds and changes ${kind.name} from a file; ${kind.keyed}`)
      .action((file: string, options: ImportOptions) => importFile(kind, file, options))
    if (kind.canRollOver) {
      command.option(
        '--roll-over',
        'a row of a later vintage makes the next vintage of its wine, which takes over its article number and link',
      )
    }

    exporting
      .command(kind.name)
      .argument('<file>', 'where to write: .csv or .json')
      .requiredOption('--merchant <merchant>', 'id, name or AuthID')
      .description(`writes the ${kind.name} to a file that import ${kind.name} can read`)
      .action((file: string, options: { merchant: string }) => exportFile(kind, file, options))
  }
}
