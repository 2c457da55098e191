import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../support/child-environment.ts'
import { isShown } from '../support/guide-examples.ts'
import { twin } from '../support/harness.ts'
import { newFolder, patience } from '../support/tool.ts'

// A reader pastes parts of README into a shell. What they change is the first demo merchant's, whose orders, baskets and
// addresses no other test looks at.

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const local = 'http://localhost:3000'

/** The blocks of a language below a heading, one after another, but for the walk, which smoke.test.ts takes. */
const blocksOf = (title: string, language: 'sh' | 'text'): string => {
  const [, section = ''] = new RegExp(`^## ${title}\\n(.*?)(?=^## )`, 'ms').exec(readme) ?? []
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
  return blocks.map(([, block = '']) => block.replace(/^npm run smoke .*\n/gm, '')).join('')
}
const folder = await newFolder()

// The tests need nothing but Node; a machine may lack curl.
const standIn = join(import.meta.dirname, '../support/fixtures/curl.ts')
const prelude = `command -v curl >/dev/null || curl() { '${process.execPath}' '${standIn}' "$@"; }\n`

const shells: readonly { shell: string; flags: string[] }[] = [
  { shell: 'bash', flags: ['--noprofile', '--norc', '-i'] },
  { shell: 'zsh', flags: ['-f', '-i'] },
  { shell: 'dash', flags: ['-i'] },
]

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0

/** The lines that a shell prints when a reader pastes a text into it, and its errors, without prompts. */
const pasted = async ({ shell, flags }: (typeof shells)[number], script: string) => {
  const env = childEnvironment({ TMPDIR: dirname(folder.path('pdf')), PS1: '', PS2: '' })
  // In a session of its own, it cannot take the terminal of the test run.
  const child = spawn(shell, flags, { env, cwd: root, detached: true })
  child.stdin.end(prelude + script.replaceAll(local, twin.url))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { lines: out.replaceAll(twin.url, local).split('\n').filter(Boolean), errors }
}

describe.each(shells)('commands pasted into $shell', reader => {
  const [run, reason] = isInstalled(reader.shell)
    ? [test, '']
    : [test.skip, ` (skipped: ${reader.shell} is not installed)`]

  run.each(['Tour', 'First order'])(
    `“%s” of README prints what it shows${reason}`,
    async title => {
      const [script, shown] = [blocksOf(title, 'sh'), blocksOf(title, 'text').trim().split('\n')]
      expect(script).toContain(local)
      const { lines, errors } = await pasted(reader, script)
      const isRight = lines.length === shown.length && lines.every((line, n) => isShown(line, shown[n] ?? ''))
      // Where a command fails, its errors tell why.
      if (!isRight) throw new Error(`shown: ${shown.join('\n')}\nbut was: ${lines.join('\n')}\n${errors}`)
    },
    patience,
  )
})

test('no shell block in the documents has a comment, which zsh would run', () => {
  const documents = ['README.md', 'bin/README.md', 'lib/stack/README.md', 'lib/stack/OPERATIONS.md']
  const all = documents.map(name => readFileSync(join(root, name), 'utf8')).join('')
  const blocks = [...all.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(10)
  expect(blocks.filter(block => /(^|\s)#/m.test(block))).toEqual([])
})
