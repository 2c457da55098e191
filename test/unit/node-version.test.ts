import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const check = ['--import', './lib/node-version.mjs']

const node = (...flags: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, ...check, '-p', '"started"'], { cwd: root })
  return [status, String(stdout), String(stderr)]
}

test('a Node that runs TypeScript starts the program', () => {
  expect(node()).toEqual([0, 'started\n', ''])
})

test('an older Node prints the required version, and starts nothing', () => {
  const [least] = /\d+\.\d+/.exec(engines.node) ?? []
  const complaint = new RegExp(`^This code needs Node ${least} or newer.* this is Node ${process.versions.node}\\.\\n`)
  expect(node('--no-experimental-strip-types')).toEqual([1, '', expect.stringMatching(complaint)])
})

test('every script of package.json that starts Node checks its version first', () => {
  const starting = Object.entries<string>(scripts).filter(([, script]) => script.startsWith('node '))
  expect(starting.length).toBeGreaterThan(0)
  for (const [name, script] of starting)
    expect([name, script]).toEqual([name, expect.stringContaining(check.join(' '))])
})
