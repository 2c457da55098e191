import { resolve } from 'node:path'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { say } from '../tool/say.ts'
import { findTwin } from '../twin/twin-file.ts'
import { askLeadingKeys, CannotTell, localEndpoint, policyFor, realTable, sentenceOf } from './leading-keys.ts'
import { runSmoke } from './run.ts'
import { tableHead, tableLine } from './table.ts'
import type { Call } from './walk.ts'

type Options = {
  url?: string
  authid?: string
  token?: string
  timeout: number
  patience: number
  returnUrl: string
  show?: boolean
  table?: string
  printPolicy?: string
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

const baseUrl = (text: string): string => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname))
  if (url && isSafe && !url.username && !url.search && !url.hash) return url.href.replace(/\/+$/, '')
  throw new InvalidArgumentError('It must be an https URL, or an http URL of this machine.')
}

const seconds = (text: string): number => {
  const value = Number(text)
  if (value > 0 && value <= 600) return value
  throw new InvalidArgumentError('It must be a number of seconds, 600 at most.')
}

const smokeTool = (): Command =>
  new Command('npm run smoke --')
    .description(
      'Calls every route of a running stage with the credentials of one merchant, checks each answer and cleans up.',
    )
    .option('--url <url>', 'base URL of the stage', baseUrl)
    .option('--authid <authid>', 'AuthID of the merchant')
    .addOption(new Option('--token <token>', 'API token of the merchant, of the role desk').env('SMOKE_TOKEN'))
    .option('--timeout <seconds>', 'time limit of a response', seconds, 35)
    .option('--patience <seconds>', 'time limit until public lists include a change', seconds, 60)
    .option('--return-url <url>', 'return URL for the payment provider', 'https://shop.example/smoke')
    .option('--show', 'prints a request and a response of each step, shortened')
    .option('--table <name>', 'tests how IAM evaluates LeadingKeys in transactions on this table')
    .option('--print-policy <table>', 'prints the policy that the credentials for --table must have')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()

// From a terminal the signal arrives twice, because npm forwards it as well. In milliseconds.
const sameSignal = 1000

/** Returns a signal that aborts at Ctrl-C; a second Ctrl-C ends the process. */
const interrupt = (): AbortSignal => {
  const controller = new AbortController()
  let first: number | undefined
  const stop = () => {
    if (first !== undefined && Date.now() - first > sameSignal) process.exit(1)
    if (first !== undefined) return
    first = Date.now()
    process.stderr.write('interrupted; cleaning up (Ctrl-C again leaves at once)\n')
    controller.abort(new Error('interrupted'))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return controller.signal
}

const isSecret = /^(token|password|hash|lostpassword_hash)$/

type Target = { url: string; authid: string; token: string }

const maxShown = 400

/** A request and its answer in short, without secrets: of a list the first record. */
const linesOf = ({ fields, reply }: Call): string[] =>
  [fields, reply.json].filter(Boolean).map(one => {
    const text = JSON.stringify(one, (name, value) => {
      if (isSecret.test(name)) return '…'
      return Array.isArray(value) && typeof value[0] === 'object' ? value.slice(0, 1) : value
    })
    return `    ${text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}`
  })

const walkRoutes = async (target: Target, { timeout, patience, returnUrl, show }: Options): Promise<boolean> => {
  let shown: Call | undefined
  say(tableHead())
  const { routes, calls, differences, left } = await runSmoke({
    ...target,
    returnUrl,
    timeout: timeout * 1000,
    patience: patience * 1000,
    signal: interrupt(),
    onCall: call => {
      if (call.reply.status < 300) shown ??= call
    },
    onRow: row => {
      say(tableLine(row), ...(show && shown ? linesOf(shown) : []))
      shown = undefined
    },
  })
  say('', ...left.map(one => `left behind: ${one}`))
  say(`${routes} routes, ${calls} calls, ${differences} differences`)
  return differences === 0
}

/** The local substitute for AWS where the table is; undefined on AWS. */
const standIn = async (table: string): Promise<string | undefined> => {
  const twin = await findTwin(resolve(process.env.DATA_DIR ?? '.local'))
  return twin?.table === table ? twin.url : localEndpoint(process.env)
}

const askTable = async (name: string): Promise<boolean> => {
  const local = await standIn(name)
  if (local) {
    say(
      `LeadingKeys in TransactWriteItems: unknown: the table is at ${local}, not on AWS, and IAM is not evaluated there`,
    )
    return false
  }
  process.env.TABLE_NAME = name
  try {
    const verdict = await askLeadingKeys(realTable)
    say(sentenceOf(verdict))
    return verdict === 'per action'
  } catch (error) {
    const why = error instanceof CannotTell ? error.message : `${(error as Error).name}: ${(error as Error).message}`
    say(`LeadingKeys in TransactWriteItems: unknown: ${why}`)
    return false
  }
}

const run = async (program: Command): Promise<boolean> => {
  const options = program.opts<Options>()
  const { url, authid, token, table, printPolicy } = options
  if (printPolicy) {
    say(JSON.stringify(policyFor(printPolicy), null, 2))
    return true
  }
  if (!url && !table) program.error('error: name a stage with --url, or a table with --table')
  if (url && !(authid && token)) program.error('error: --url needs --authid and --token, or SMOKE_TOKEN')
  const isSame = url && authid && token ? await walkRoutes({ url, authid, token }, options) : true
  const isPerAction = table ? await askTable(table) : true
  return isSame && isPerAction
}

/** Runs the smoke test with the words of a command line; resolves with the exit code. */
export const runSmokeTool = async (words: readonly string[]): Promise<number> => {
  const program = smokeTool()
  try {
    program.parse(words, { from: 'user' })
    return (await run(program)) ? 0 : 1
  } catch (error) {
    // Commander has printed it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}
