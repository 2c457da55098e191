import { Command } from 'commander'
import { connect, type Target } from '../lib/admin/connect.ts'
import { importWines, planWines, readCatalogue } from '../lib/admin/import-wines.ts'
import * as merchants from '../lib/admin/merchants.ts'
import { progressBar } from '../lib/admin/progress.ts'
import { readWineFile } from '../lib/admin/read-file.ts'
import { planLines } from '../lib/admin/wine-report.ts'
import type { PaymentType } from '../shared/orders/states.ts'

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

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof merchants.Refused)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
