import { type Command, Option } from 'commander'
import { defaultProvider, type Role, roles } from '../../../shared/contract/vocabulary.ts'
import { changeMerchant } from '../../../shared/merchants/edit.ts'
import { type QuotaName, things } from '../../../shared/merchants/quotas.ts'
import { merchantIdOf } from '../../../shared/platform/table/keys.ts'
import * as merchants from '../merchants.ts'
import { changePayPal, type PayPalOptions, payPalLines, readPayPalChange } from '../paypal.ts'
import { changeLimits, type Limits, quotaLines, quotaNames, readLimit } from '../quotas.ts'
import { say } from '../say.ts'
import { lists, readSettings, type SettingName, type Settings, settingLines, settingSentences } from '../settings.ts'

type CreateOptions = Pick<PayPalOptions, 'paypalClientId'> & {
  paymentTypes: string
  paymentProvider: string
  again?: true
}

const create = async (
  name: string,
  { paymentTypes, paymentProvider, again, ...payPal }: CreateOptions,
): Promise<void> => {
  const { payment_types, payment_provider } = readSettings({
    payment_types: paymentTypes,
    payment_provider: paymentProvider,
  })
  const merchant = { name, paymentTypes: payment_types, paymentProvider: payment_provider }
  const change = await readPayPalChange(payPal)
  const same = again ? undefined : (await merchants.listMerchants()).find(one => one.name === name)
  if (same) {
    throw new merchants.Refused(
      `a merchant ${name} already exists, with the id ${same.id}; --again creates a second one, and then commands need ids`,
    )
  }
  const account = await merchants.createMerchant(merchant)
  const { id, token } = await merchants.issueToken(account, 'first')
  say(
    `merchant ${account.name}`,
    `  id      ${account.id}`,
    `  authid  ${account.authid}`,
    `  token   ${token}   (${id}; shown this once)`,
  )
  if (change) say(...payPalLines(await changePayPal(merchantIdOf(account.id), change)))
}

const list = async (): Promise<void> => {
  for (const { id, name, authid, payment_types, tokens } of await merchants.listMerchants()) {
    say(`${id}  ${name}  authid ${authid}  ${payment_types.join(', ')}`)
    for (const { id: token, name: user, role = 'shop', crstamp } of tokens)
      say(`    token ${token}  ${role}  ${user}  since ${crstamp}`)
  }
}

const set = async (name: string, settings: Settings, payPal: PayPalOptions): Promise<void> => {
  const account = await merchants.findMerchant(name)
  const change = await readPayPalChange(payPal)
  const accounts = change && (await changePayPal(account.id, change))
  const isPayPalOnly = accounts && Object.keys(settings).length === 0
  const present = isPayPalOnly ? account : await changeMerchant(account.id, settings)
  say(`merchant ${name}`, ...settingLines(present), ...(accounts ? payPalLines(accounts) : []))
}

type SetOptions = Record<string, string | undefined> & PayPalOptions

const settingNames = Object.keys(settingSentences) as SettingName[]

const flagOf = (name: SettingName): string => `--${name.replaceAll('_', '-')}`

const settingsIn = (options: SetOptions): Settings =>
  readSettings(
    Object.fromEntries(
      settingNames.flatMap(name => {
        const text = options[new Option(flagOf(name)).attributeName()]
        return text === undefined ? [] : [[name, text]]
      }),
    ),
  )

const optionOf = (quota: QuotaName): string => quota.replace(/_(.)/, (_, letter: string) => letter.toUpperCase())

const quotas = async (name: string, texts: Partial<Record<string, string>>): Promise<void> => {
  const { id } = await merchants.findMerchant(name)
  const limits: Limits = {}
  for (const quota of quotaNames) {
    const text = texts[optionOf(quota)]
    if (text !== undefined) limits[quota] = readLimit(text)
  }
  await changeLimits(id, limits)
  say(`merchant ${name}`, ...(await quotaLines(id)))
}

const addQuotaCommand = (program: Command): void => {
  const command = program
    .command('quota')
    .argument('<merchant>', 'id, name or AuthID')
    .description("recounts and shows the usage of a merchant's quotas; with options, changes the limits")
    .action(quotas)
  for (const quota of quotaNames) {
    command.option(`--${quota.replace('_', '-')} <limit>`, `the maximum of ${things[quota]}, or default`)
  }
}

const payPalAccount = (): Option =>
  new Option(
    '--paypal-client-id <id>',
    'the PayPal app that takes payments; its secret is read from a prompt, or from stdin',
  )

/** Adds the commands for merchants and their settings. */
export const addMerchantCommands = (program: Command): void => {
  program
    .command('create')
    .argument('<name>', 'name of the merchant')
    .option('--payment-types <list>', 'payment types of its shop, separated by commas', 'invoice')
    .option(
      '--payment-provider <name>',
      'provider of external payments: paypal, or sandbox, which moves no money',
      defaultProvider,
    )
    .addOption(payPalAccount())
    .option('--again', 'even if another merchant has this name')
    .description('creates a merchant and its first API token')
    .action(create)

  program.command('list').description('lists the merchants and their live API tokens').action(list)

  const setting = program
    .command('set')
    .argument('<merchant>', 'id, name or AuthID')
    .addOption(payPalAccount())
    .option('--paypal-webhook-id <id>', 'the webhook of that account, or of the present one, whose events are accepted')
    .description(
      "changes a merchant's settings; others stay unchanged. Lists are separated by commas; none empties a setting",
    )
    .action((name: string, options: SetOptions) => set(name, settingsIn(options), options))
  for (const name of settingNames) {
    const kind = lists.has(name) ? '<list>' : '<text>'
    setting.option(`${flagOf(name)} ${kind}`, settingSentences[name])
  }

  addQuotaCommand(program)
}

/** Adds the commands for API tokens and sessions. */
export const addTokenCommands = (program: Command): void => {
  const token = program.command('token').description('API tokens')

  token
    .command('issue')
    .argument('<merchant>', 'id, name or AuthID')
    .option('--name <name>', 'a name for the token, shown in the log; by default its role')
    .addOption(new Option('--role <role>', "shop, or desk for the merchant's own work").choices(roles).default('shop'))
    .description('issues an API token; two of a role may be live at once')
    .action(async (merchant: string, { name, role }: { name?: string; role: Role }) => {
      const issued = await merchants.issueToken(await merchants.findMerchant(merchant), name ?? role, { role })
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
}
