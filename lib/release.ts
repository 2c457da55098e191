import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { Command, CommanderError, InvalidArgumentError } from 'commander'

/** The command cannot continue; the message has the reason and the remedy. */
class Refused extends Error {}

type Context = Record<string, string>
type Options = { context: Context; back?: string | true }

const collect = (text: string, all: Context): Context => {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...all, [name]: value }
}

const program = () =>
  new Command('npm run release --')
    .description(
      'Deploys the checked-out commit to a stage, then calls every route of it (npm run smoke) with the credentials in SMOKE_AUTHID and SMOKE_TOKEN.',
    )
    .option('-c, --context <name=value>', 'context of cdk deploy, such as stage=prod; may be repeated', collect, {})
    .option('--back [commit]', 'deploys the release before, or a commit, with the present settings of the stage')
    .argument('[words...]', 'further words for cdk deploy, after --')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()

const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Returns what git writes. Throws Refused with git's message. */
const git = (...words: string[]): string => {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch (error) {
    throw new Refused((error as Error).message.trim())
  }
}

const ignore = (): void => {}

/** Runs npm in a folder; resolves with true if it succeeded. */
const run = async (folder: string, words: readonly string[]): Promise<boolean> => {
  const child = spawn('npm', words, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  // Ctrl-C ends npm, which is at the same terminal. This process continues: it has to clean up.
  process.on('SIGINT', ignore)
  const [code] = await once(child, 'exit')
  process.off('SIGINT', ignore)
  return code === 0
}

/** Returns the outputs of a stack and its `Status`, none where there is no such stack. Throws Refused without an answer. */
const stateOf = async (StackName: string): Promise<Record<string, string | undefined>> => {
  try {
    const { Stacks: [stack] = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }))
    const outputs = (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue])
    return { Status: stack?.StackStatus, ...Object.fromEntries(outputs) }
  } catch (error) {
    const { message } = error as Error
    if (/does not exist/.test(message)) return {}
    throw new Refused(`CloudFormation says nothing about ${StackName}: ${message}`)
  }
}

/**
 * Does something in a checkout of another commit, with its own packages and the present settings of stages: a table that
 * was restored since then must not be left.
 */
const inCommit = async (commit: string, work: (folder: string) => Promise<boolean>): Promise<boolean> => {
  const settings = JSON.parse(git('show', `${commit}:cdk.json`))
  if (!settings.context?.stages)
    throw new Refused(`${commit} does not read the settings of stages in cdk.json: it would deploy without them`)
  settings.context.stages = JSON.parse(readFileSync('cdk.json', 'utf8')).context.stages
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-release-'))
  try {
    git('worktree', 'add', '--detach', '--force', folder, commit)
    writeFileSync(join(folder, 'cdk.json'), JSON.stringify(settings, null, 2))
    return (await run(folder, ['ci', '--no-audit', '--no-fund'])) && (await work(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  }
}

const commitOf = (name: string): string => {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  } catch {
    throw new Refused(`git knows no commit ${name}; fetch it first`)
  }
}

const flagsOf = (context: Context): string[] =>
  Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const release = async ({ context, back }: Options, words: readonly string[]): Promise<boolean> => {
  const { SMOKE_AUTHID: authid, SMOKE_TOKEN: token } = process.env
  if (!authid || !token) throw new Refused('smoke needs a merchant: set SMOKE_AUTHID and SMOKE_TOKEN')
  const { stage = 'dev' } = context
  const stack = `Weinkontor-${stage}`
  if (!back && git('status', '--porcelain')) throw new Refused('commit your changes first: a release is a commit')
  const before = await stateOf(stack)
  const wanted = back === true ? before.PreviousCommit : (back ?? 'HEAD')
  if (!wanted) throw new Refused(`${stack} does not name the release before; name its commit: --back COMMIT`)
  const commit = commitOf(wanted)
  const previous = before.Commit === commit ? before.PreviousCommit : before.Commit
  const flags = flagsOf({ stage, ...context, commit, ...(previous && { previous }) })
  const deployAndSmoke = async (folder: string): Promise<boolean> => {
    const isDeployed = await run(folder, ['run', '--silent', 'deploy', '--', ...flags, ...words])
    const { Status = 'not there', Commit = 'unknown', BaseUrl } = await stateOf(stack)
    if (!isDeployed) {
      say(`the deployment of ${commit} failed; ${stack} is ${Status}, its commit ${Commit}`)
      return false
    }
    if (!BaseUrl)
      throw new Refused(`${stack} is not where the deployment went: set AWS_REGION and AWS_PROFILE for both`)
    if (await run(folder, ['run', '--silent', 'smoke', '--', '--url', BaseUrl, '--authid', authid])) {
      say(`${stack} runs ${commit}; every route answers as it should`)
      return true
    }
    const way = [...flagsOf({ stage, ...context }), '--back', ...(previous ? [] : ['COMMIT'])]
    const further = words.length > 0 ? ['--', ...words] : []
    say(`${stack} runs ${commit}, and smoke found the differences above. To deploy the release before again:`)
    say(`  npm run release -- ${[...way, ...further].join(' ')}${previous ? `    # ${previous}` : ''}`)
    return false
  }
  return back ? inCommit(commit, deployAndSmoke) : deployAndSmoke('.')
}

/**
 * Deploys a commit and smokes the stage, by the words of a command line. Resolves with the exit code: 0 when every route
 * answers as it should, 1 when the deployment or a route failed, 2 when the command could not go on, for a reason it says.
 */
export const runRelease = async (words: readonly string[]): Promise<number> => {
  const command = program()
  try {
    command.parse(words, { from: 'user' })
    return (await release(command.opts<Options>(), command.args)) ? 0 : 1
  } catch (error) {
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Refused)) throw error
    say(error.message)
    return 2
  }
}
