import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../support/child-environment.ts'
import { runsAllCases } from '../support/sampling.ts'

// Nothing listens there, so all network access fails immediately.
const nowhere = 'http://127.0.0.1:9'
const binaries = resolve('node_modules/.bin')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A checkout of its own: bundling here must not disturb a service that runs from this one. */
const checkout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-checkout-'))
  folders.push(folder)
  for (const name of ['bin', 'lib', 'shared', 'functions', 'package.json', 'cdk.json']) {
    cpSync(name, join(folder, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

const run = async (command: string, words: readonly string[], more: Record<string, string> = {}) => {
  const folder = checkout()
  const child = spawn(command, words, {
    cwd: folder,
    env: childEnvironment({
      PATH: [binaries, process.env.PATH].join(delimiter),
      HOME: folder,
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      ...more,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>(done => child.once('exit', done))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exited, output: output + errors, assembly: join(folder, 'cdk.out') }
}

// The template and its checks are tested without the command in every run; the command bundles all functions again.
if (!runsAllCases)
  console.log('The command cdk synth itself is tried by npm run test:long: it takes ten seconds of a core.')
const long = runsAllCases ? test : test.skip
long(
  'cdk synth makes a stage without network and without credentials',
  async () => {
    const { code, output, assembly } = await run('cdk', [
      'synth',
      '--quiet',
      '--no-notices',
      '--context',
      'stage=acceptance',
    ])
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('ERROR') })
    const { Resources } = JSON.parse(readFileSync(join(assembly, 'Weinkontor-acceptance.template.json'), 'utf8'))
    expect(Object.keys(Resources).length).toBeGreaterThan(100)
  },
  240_000,
)

long(
  'cdk synth makes a front as well, without network and without credentials; the region alone must be known',
  async () => {
    const asked = { stage: 'acceptance', front: 'on', domain: 'wine.example', hostedZone: 'Z0123456789ABCDEFGHIJ' }
    const words = Object.entries(asked).flatMap(([name, value]) => ['--context', `${name}=${value}`])
    const region = { AWS_REGION: 'eu-central-1' }
    const { code, output, assembly } = await run('cdk', ['synth', '--quiet', '--no-notices', ...words], region)
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('ERROR') })
    const { artifacts } = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8'))
    expect(['Weinkontor-acceptance', 'Weinkontor-acceptance-Front'].map(name => artifacts[name].environment)).toEqual([
      'aws://unknown-account/eu-central-1',
      'aws://unknown-account/us-east-1',
    ])
    expect(artifacts['Weinkontor-acceptance-Front'].dependencies).toContain('Weinkontor-acceptance')
  },
  240_000,
)

const refused: [string, Record<string, string>, string][] = [
  [
    'a stage whose name would not fit',
    { stage: 'Prod-2' },
    'stage must be 2 to 13 lower-case letters and digits: Prod-2',
  ],
  ['a front to which no name leads', { front: 'on' }, 'front=on needs the name that leads to it'],
  ['prod without an entry in cdk.json', { stage: 'prod' }, 'the stage prod needs an entry in cdk.json'],
]
test.each(
  refused,
)('%s is refused by the app that cdk synth runs, before anything is built', async (_, context, message) => {
  // As the command hands the context over.
  const { code, output, assembly } = await run(process.execPath, ['bin/app.ts'], {
    CDK_CONTEXT_JSON: JSON.stringify(context),
    CDK_OUTDIR: 'cdk.out',
  })
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(existsSync(join(assembly, 'manifest.json'))).toBe(false)
})
