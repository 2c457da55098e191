import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../support/child-environment.ts'
import { eventually } from '../support/eventually.ts'

/*
 * The command runs in a repository whose scripts `deploy` and `smoke` write down how they were called, beside a
 * CloudFormation that knows one stack.
 */

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weinkontor-release-test-')))
const repository = join(folder, 'repository')
const log = join(folder, 'log')
const temporary = join(folder, 'temporary files')
mkdirSync(temporary)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
    cwd: repository,
    encoding: 'utf8',
  }).trim()

const script = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs')
const [name, ...words] = process.argv.slice(2)
const { stages } = JSON.parse(readFileSync('cdk.json', 'utf8')).context
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
appendFileSync(process.env.LOG, JSON.stringify({ name, words, stages, version, token: process.env.SMOKE_TOKEN }) + '\\n')
if (process.env.WAITS === name) setTimeout(() => {}, 60_000)
process.exitCode = (process.env.FAILS ?? '').split(',').includes(name) ? 1 : 0
`

/** Commits a version of the repository; returns the commit. */
const commit = (version: string, context: unknown): string => {
  const scripts = { deploy: 'node script.cjs deploy', smoke: 'node script.cjs smoke' }
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ name: 'r', version, scripts }))
  const lock = { name: 'r', version, lockfileVersion: 3, packages: { '': { name: 'r', version } } }
  writeFileSync(join(repository, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(repository, 'cdk.json'), JSON.stringify({ context }))
  writeFileSync(join(repository, 'script.cjs'), script)
  git('add', '.')
  git('commit', '-q', '-m', version)
  return git('rev-parse', 'HEAD')
}

execFileSync('git', ['init', '-q', repository])
const old = commit('0.0.0', {})
const first = commit('1.0.0', { stages: { prod: { table: 'former' } } })
const second = commit('2.0.0', { stages: { prod: { table: 'present' } } })

let outputs: Record<string, string> | undefined
const cloudFormation = createServer((request, response) => {
  request.resume()
  const members = Object.entries(outputs ?? {}).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  )
  const stack = `<StackName>Weinkontor-prod</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>`
  const found = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`
  const missing =
    '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Weinkontor-prod does not exist</Message></Error></ErrorResponse>'
  response.writeHead(outputs ? 200 : 400, { 'content-type': 'text/xml' }).end(outputs ? found : missing)
}).listen(0, '127.0.0.1')
beforeAll(async () => {
  if (!cloudFormation.listening) await once(cloudFormation, 'listening')
})
afterAll(() => {
  cloudFormation.closeAllConnections()
  cloudFormation.close()
})

const deployed = (more: Record<string, string> = {}) => {
  outputs = { BaseUrl: 'https://wine.example', ...more }
}

type Called = { name: string; words: string[]; stages: unknown; version: string; token?: string }

const calls = () =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Called)

const start = (words: readonly string[], more: Record<string, string | undefined>, cwd: string) => {
  writeFileSync(log, '')
  const child = spawn(process.execPath, [resolve('bin/release.ts'), ...words], {
    cwd,
    detached: true,
    env: childEnvironment({
      HOME: folder,
      TMPDIR: temporary,
      LOG: log,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`,
      SMOKE_AUTHID: 'wk-smoke',
      SMOKE_TOKEN: 'secret',
      ...more,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const ended = Promise.all([text(child.stdout), text(child.stderr)]).then(async ([, errors]) => {
    const [code] = await exited
    return { code, errors, called: calls() }
  })
  return { pid: child.pid as number, ended }
}

const release = (words: readonly string[], more: Record<string, string | undefined> = {}, cwd = repository) =>
  start(words, more, cwd).ended

/** Leftovers of `--back`: folders, and worktrees of the repository. */
const remains = () => [...readdirSync(temporary), ...git('worktree', 'list').split('\n').slice(1)]

const prod = ['-c', 'stage=prod']

test('a release deploys the checked-out commit, smokes the stage, and names the previous commit for the way back', async () => {
  deployed({ Commit: first })
  const { code, errors, called } = await release(prod)
  expect(called).toMatchObject([
    { name: 'deploy', words: ['-c', 'stage=prod', '-c', `commit=${second}`, '-c', `previous=${first}`] },
    { name: 'smoke', words: ['--url', 'https://wine.example', '--authid', 'wk-smoke'], token: 'secret' },
  ])
  expect(errors).toContain(`Weinkontor-prod runs ${second}; every route answers as it should`)
  expect(code).toBe(0)
})

test('a stage that was never deployed, or is deployed again, keeps its previous commit', async () => {
  outputs = undefined
  expect((await release(prod, { FAILS: 'deploy' })).called[0]?.words).toEqual([...prod, '-c', `commit=${second}`])
  deployed({ Commit: second, PreviousCommit: first })
  expect((await release(prod)).called[0]?.words).toContain(`previous=${first}`)
})

test('a difference that smoke finds fails the release and prints the command that deploys the previous release', async () => {
  deployed({ Commit: first })
  const { code, errors } = await release(prod, { FAILS: 'smoke' })
  expect(code).toBe(1)
  expect(errors).toContain(`npm run release -- -c stage=prod --back    # ${first}`)
})

test('that command repeats all flags, because a stage without an entry has its table by a flag', async () => {
  deployed({ Commit: first })
  const words = ['-c', 'table=yesterday', '--', '--require-approval', 'never']
  const { errors } = await release(words, { FAILS: 'smoke' })
  expect(errors).toContain('npm run release -- -c stage=dev -c table=yesterday --back -- --require-approval never')
})

test('--back deploys and smokes the previous release, with the present settings of the stage', async () => {
  deployed({ Commit: second, PreviousCommit: first })
  const { code, called } = await release([...prod, '--back'])
  expect(called).toMatchObject([
    { name: 'deploy', version: '1.0.0', stages: { prod: { table: 'present' } } },
    { name: 'smoke', version: '1.0.0' },
  ])
  expect(called[0]?.words).toEqual([...prod, '-c', `commit=${first}`, '-c', `previous=${second}`])
  expect(code).toBe(0)
  expect(remains()).toEqual([])
})

test('--back with a commit deploys that one, and refuses one that git does not know', async () => {
  deployed()
  expect((await release([...prod, '--back', first.slice(0, 8)])).called).toMatchObject([
    { version: '1.0.0' },
    { version: '1.0.0' },
  ])
  const unknown = await release([...prod, '--back', 'no-such-commit'])
  expect(unknown).toMatchObject({ code: 2, called: [], errors: 'git knows no commit no-such-commit; fetch it first\n' })
  const unnamed = await release([...prod, '--back'])
  expect(unnamed).toMatchObject({ code: 2, called: [] })
  expect(unnamed.errors).toContain('does not name the release before; name its commit: --back COMMIT')
})

test('--back refuses a commit whose app would not read the settings of stages, and so lose a restored table', async () => {
  deployed()
  const { code, errors, called } = await release([...prod, '--back', old])
  expect([code, called, remains()]).toEqual([2, [], []])
  expect(errors).toBe(`${old} does not read the settings of stages in cdk.json: it would deploy without them\n`)
})

test('--back leaves no checkout behind, whatever a hook of git does', async () => {
  deployed()
  const hook = join(repository, '.git/hooks/post-checkout')
  writeFileSync(hook, '#!/bin/sh\necho no >&2\nexit 1\n', { mode: 0o755 })
  const { code, errors, called } = await release([...prod, '--back', first])
  rmSync(hook)
  expect([code, called, remains()]).toEqual([2, [], []])
  expect(errors).toContain('no\n')
})

test('Ctrl-C ends the deployment, and leaves no checkout behind', async () => {
  deployed({ Commit: second })
  const { pid, ended } = start([...prod, '--back', first], { WAITS: 'deploy' }, repository)
  await eventually(() => calls().length === 1)
  // As a terminal does: to all processes.
  process.kill(-pid, 'SIGINT')
  const { code, errors, called } = await ended
  expect([code, called.length, remains()]).toEqual([1, 1, []])
  expect(errors).toContain(
    `the deployment of ${first} failed; Weinkontor-prod is UPDATE_COMPLETE, its commit ${second}`,
  )
})

test('a deployment that fails is not smoked, and the state of the stack is reported', async () => {
  deployed({ Commit: first })
  const { code, errors, called } = await release(prod, { FAILS: 'deploy' })
  expect(called.map(({ name }) => name)).toEqual(['deploy'])
  expect(errors).toContain(
    `the deployment of ${second} failed; Weinkontor-prod is UPDATE_COMPLETE, its commit ${first}`,
  )
  expect(code).toBe(1)
})

test('a release begins only with a merchant for smoke, and without uncommitted changes', async () => {
  deployed()
  expect(await release(prod, { SMOKE_TOKEN: '' })).toMatchObject({ code: 2, called: [] })
  writeFileSync(join(repository, 'new.ts'), '')
  const { code, errors, called } = await release(prod)
  rmSync(join(repository, 'new.ts'))
  expect([code, called]).toEqual([2, []])
  expect(errors).toContain('commit your changes first')
})

test.each([
  ['no region', { AWS_REGION: undefined }, 'Region is missing'],
  ['no credentials', { AWS_ACCESS_KEY_ID: undefined, AWS_EC2_METADATA_DISABLED: 'true' }, 'Could not load credentials'],
])('with %s nothing begins, and one line reports it', async (_, environment, reason) => {
  const { code, errors, called } = await release(prod, environment)
  expect([code, called, errors.split('\n').length]).toEqual([2, [], 2])
  expect(errors).toContain(reason)
})

test('outside of a repository nothing begins, and git’s message is printed', async () => {
  const { code, errors, called } = await release(prod, {}, temporary)
  expect([code, called]).toEqual([2, []])
  expect(errors).toContain('not a git repository')
  expect(errors).not.toContain(' at ')
})

test('a stack that is missing in the region of the deployment is reported, not smoked', async () => {
  outputs = undefined
  const { code, errors, called } = await release(prod)
  expect([code, called.map(({ name }) => name)]).toEqual([2, ['deploy']])
  expect(errors).toContain('set AWS_REGION and AWS_PROFILE')
})
