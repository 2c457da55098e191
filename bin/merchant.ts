import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { connect, type Target } from '../lib/admin/connect.ts'
import { supplyFiles } from '../lib/admin/expertise.ts'
import { exportWines } from '../lib/admin/export-wines.ts'
import { importWines, planWines, readCatalogue } from '../lib/admin/import-wines.ts'
import * as merchants from '../lib/admin/merchants.ts'
import { progressBar } from '../lib/admin/progress.ts'
import { readWineFile } from '../lib/admin/read-file.ts'
import { planLines } from '../lib/admin/wine-report.ts'
import type { PaymentType } from '../shared/orders/states.ts'
import { Unavailable } from '../shared/table/failures.ts'

const say = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}

const program = new Command('npm run merchant --')
  .description('Manages merchants, their API tokens and their wines, on this machine or on AWS.')
  .option('--table <name>', "the table's name on AWS; without it, the service on this machine")
  .option('--bucket <name>', "the bucket's name on AWS")
  .option('--data-dir <folder>', 'where the service on this machine keeps its data', process.env.DATA_DIR ?? '.local')
  .showHelpAfterError('(add --help for the options)')
program.hook('preAction', () => connect(program.opts<Target>()))

program
  .command('create')
  .argument('<name>')
  .option('--payment-types <list>', 'what its shop offers, separated by commas', 'invoice')
  .description('creates a merchant and its first API token')
  .action(async (name: string, { paymentTypes }: { paymentTypes: string }) => {
    const account = await merchants.createMerchant({ name, paymentTypes: paymentTypes.split(',') as PaymentType[] })
    const { id, token } = await merchants.issueToken(account, 'first')
    say(
      `merchant ${account.name}`,
      `  id      ${account.id}`,
      `  authid  ${account.authid}`,
      `  token   ${token}   (${id}; shown this once)`,
    )
  })

program
  .command('list')
  .description('lists the merchants and their live API tokens')
  .action(async () => {
    for (const { id, name, authid, payment_types, tokens } of await merchants.listMerchants()) {
      say(`${id}  ${name}  authid ${authid}  ${payment_types.join(', ')}`)
      for (const token of tokens) say(`    token ${token.id}  ${token.name}  since ${token.crstamp}`)
    }
  })

const token = program.command('token').description('API tokens')

token
  .command('issue')
  .argument('<merchant>', 'id or name')
  .option('--name <name>', 'who will use it', 'shop')
  .description('issues an API token; two may be live at once')
  .action(async (merchant: string, { name }: { name: string }) => {
    const issued = await merchants.issueToken(await merchants.findMerchant(merchant), name)
    say(`token ${issued.token}   (${issued.id}; shown this once)`)
  })

token
  .command('revoke')
  .argument('<id>', 'the 12 digits after wka_')
  .description('revokes an API token and all sessions it opened, within 60 seconds')
  .action(async (id: string) => {
    await merchants.revokeToken(id)
    say(`token ${id} is revoked`)
  })

program
  .command('session')
  .description('sessions')
  .command('revoke')
  .argument('<token>', 'the session token')
  .description('ends a session within 60 seconds')
  .action(async (session: string) => {
    await merchants.revokeSession(session)
    say('the session is revoked')
  })

program
  .command('import')
  .description('imports')
  .command('wines')
  .argument('<file>', 'CSV with a header line, or JSON')
  .requiredOption('--merchant <merchant>', 'id or name')
  .option('--plan', 'only show what would change')
  .description('brings wines to what a file says; the article number tells which wine a row is')
  .action(async (file: string, { merchant, plan: onlyPlan }: { merchant: string; plan?: boolean }) => {
    const { id } = await merchants.findMerchant(merchant)
    const { rows, lines, refusals } = readWineFile(file)
    const plan = planWines(await readCatalogue(id), rows, lines)
    const whole = { ...plan, refusals: [...refusals, ...plan.refusals] }
    if (onlyPlan) return say(...planLines(whole))
    if (whole.refusals.length > 0)
      throw new merchants.Refused(planLines({ ...whole, additions: [], changes: [] }).join('\n'))
    const bar = progressBar('wines')
    await importWines(id, rows, bar.update)
    bar.stop(`${plan.additions.length} wines added, ${plan.changes.length} changed, ${plan.unchanged} unchanged`)
  })

program
  .command('export')
  .description('exports')
  .command('wines')
  .argument('<file>', 'where to write: .csv or .json')
  .requiredOption('--merchant <merchant>', 'id or name')
  .description('writes the wines to a file that import wines takes back unchanged')
  .action(async (file: string, { merchant }: { merchant: string }) => {
    const { id } = await merchants.findMerchant(merchant)
    const { text, count } = await exportWines(id, file)
    await writeFile(file, text)
    say(`${count} wines in ${file}`)
  })

program
  .command('expertise')
  .argument('<path>', 'a PDF file, or a folder of them named after article numbers')
  .requiredOption('--merchant <merchant>', 'id or name')
  .option('--articlenumber <number>', "the wine of a single file, when the file's name does not tell")
  .description("supplies the merchant's own expertise PDFs; a drawn one gives way")
  .action(async (path: string, { merchant, articlenumber }: { merchant: string; articlenumber?: string }) => {
    const { id } = await merchants.findMerchant(merchant)
    const bar = progressBar('PDFs')
    const { taken, refused } = await supplyFiles(id, { path, articlenumber, progress: bar.update })
    bar.stop(`${taken} PDFs supplied, ${refused.length} refused`)
    if (refused.length > 0)
      throw new merchants.Refused(refused.map(({ file, reason }) => `${file} ${reason}`).join('\n'))
  })

/** What the person at the command line can mend; undefined for a fault of the tool itself. */
const mendable = (error: unknown): string | undefined => {
  if (error instanceof merchants.Refused) return error.message
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
