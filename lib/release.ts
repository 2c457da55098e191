import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'

/** A release cannot begin; the message says what to do. */
class Refused extends Error {}

type Options = { context: Record<string, string>; back?: string | true; authid?: string; token?: string }

const collect = (text: string, all: Record<string, string>): Record<string, string> => {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...all, [name]: value }
}

const program = () =>
  new Command('npm run release --')
    .description('Deploys the checked-out commit to a stage, then calls every route of it (npm run smoke).')
    .option('-c, --context <name=value>', 'context of cdk deploy, such as stage=prod; may be repeated', collect, {})
    .option('--back [commit]', 'deploys the release before, or a commit, with the present settings of the stage')
    .addOption(new Option('--authid <authid>', 'AuthID of the merchant that smoke signs in as').env('SMOKE_AUTHID'))
    .addOption(new Option('--token <token>', 'its API token').env('SMOKE_TOKEN').hideHelp())
    .argument('[words...]', 'further words for cdk deploy, after --')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()

const say = (text: string): void => void process.stderr.write(`${text}\n`)

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()

const run = async (folder: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<boolean> => {
  const isWindows = process.platform === 'win32'
  const env = { ...process.env, ...more }
  const child = spawn('npm', words, { cwd: folder, env, stdio: 'inherit', shell: isWindows })
  const [code] = await once(child, 'exit')
  return code === 0
}

/** Returns the outputs of a deployed stack; none where there is no such stack. */
const outputsOf = async (StackName: string): Promise<Record<string, string | undefined>> => {
  try {
    const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }))
    return Object.fromEntries(
      (Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]),
    )
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return {}
    throw error
  }
}

const readSettings = (folder: string) => JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8'))

/**
 * Does something in a checkout of another commit, with its own packages and the present settings of stages: a table that
 * was restored since then must not be left.
 */
const inCommit = async (commit: string, work: (folder: string) => Promise<boolean>): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-release-'))
  git('worktree', 'add', '--detach', '--force', folder, commit)
  try {
    const settings = readSettings(folder)
    settings.context.stages = readSettings('.').context.stages
    writeFileSync(join(folder, 'cdk.json'), JSON.stringify(settings, null, 2))
    return (await run(folder, ['ci', '--no-audit', '--no-fund'])) && (await work(folder))
  } finally {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

const commitOf = (name: string): string => {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  } catch {
    throw new Refused(`git knows no commit ${name}; fetch it first`)
  }
}

const release = async ({ context, back, authid, token }: Options, words: readonly string[]): Promise<boolean> => {
  if (!authid || !token) throw new Refused('smoke needs a merchant: set SMOKE_AUTHID and SMOKE_TOKEN')
  const { stage = 'dev' } = context
  const stack = `Weinkontor-${stage}`
  if (!back && git('status', '--porcelain')) throw new Refused('commit your changes first: a release is a commit')
  const before = await outputsOf(stack)
  const wanted = back === true ? before.PreviousCommit : (back ?? 'HEAD')
  if (!wanted) throw new Refused(`${stack} does not name the release before; name its commit: --back COMMIT`)
  const commit = commitOf(wanted)
  const previous = before.Commit === commit ? before.PreviousCommit : before.Commit
  const flags = Object.entries({ ...context, commit, ...(previous && { previous }) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const deployAndSmoke = async (folder: string): Promise<boolean> => {
    if (!(await run(folder, ['run', '--silent', 'deploy', '--', ...flags, ...words]))) {
      say(
        `${stack}: the deployment of ${commit} failed; CloudFormation keeps what was there (${before.Commit ?? 'unknown'})`,
      )
      return false
    }
    const { BaseUrl = '' } = await outputsOf(stack)
    const smoke = ['run', '--silent', 'smoke', '--', '--url', BaseUrl, '--authid', authid]
    if (await run(folder, smoke, { SMOKE_TOKEN: token })) {
      say(`${stack} runs ${commit}; every route answers as it should`)
      return true
    }
    say(`${stack} runs ${commit}, and smoke found the differences above. To deploy the release before again:`)
    say(`  npm run release -- -c stage=${stage} --back${previous ? `    # ${previous}` : ' COMMIT'}`)
    return false
  }
  return back ? inCommit(commit, deployAndSmoke) : deployAndSmoke('.')
}

/**
 * Deploys a commit and smokes the stage, by the words of a command line. Resolves with the exit code: 0 when every route
 * answers as it should, 1 when the deployment or a route failed, 2 when nothing was begun.
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
