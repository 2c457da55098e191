import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../support/child-environment.ts'
import { twin } from '../support/harness.ts'
import { newFolder, patience } from '../support/tool.ts'

// A reader pastes parts of README into a shell. What they change is the first demo merchant's, whose orders, baskets and
// addresses no other test looks at.

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const local = 'http://localhost:3000'

/** The blocks for a shell below a heading, one after another. */
const blocksOf = (title: string): string => {
  const [, section = ''] = new RegExp(`^## ${title}\\n(.*?)(?=^## )`, 'ms').exec(readme) ?? []
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('')
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
  // In a session of its own, it cannot take the terminal of whoever runs the tests.
  const child = spawn(shell, flags, { env, cwd: root, detached: true })
  child.stdin.end(prelude + script.replaceAll(local, twin.url))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { lines: out.split('\n').filter(line => line !== ''), errors }
}

const priced = expect.stringMatching(/^\S.*, \d+\.\d\d$/)

describe.each(shells)('pasted into $shell', reader => {
  const [run, reason] = isInstalled(reader.shell)
    ? [test, '']
    : [test.skip, ` (skipped: ${reader.shell} is not installed)`]

  run(
    `the tour of README goes as the text says${reason}`,
    async () => {
      const tour = blocksOf('A tour')
      expect(tour).toContain(`api=${local}\n`)
      const { lines, errors } = await pasted(reader, tour)
      const target = lines.pop() ?? ''
      // Where a command fails, its errors tell why.
      expect({ lines, errors }).toEqual({
        lines: [
          ...[priced, priced],
          expect.stringMatching(/weissburgunder, \d+\.\d\d$/i),
          expect.stringMatching(/^Riesling, \d+\.\d\d$/),
          ...['Hamburg', 'Elbchaussee 12'],
          expect.stringMatching(/^include must be .*items/),
          expect.stringMatching(/^6 x .*, \d+\.\d\d$/),
          'cancelled',
          expect.stringMatching(/barolo.*, \d+\.\d\d$/i),
          expect.stringContaining('red'),
          expect.stringMatching(/^%PDF-1\.\d$/),
          expect.stringMatching(/barolo/i),
        ],
        errors: expect.any(String),
      })
      const page = await fetch(target)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
    },
    patience,
  )

  run(
    `the ten-minute guide of README ends with an order${reason}`,
    async () => {
      const guide = blocksOf('Ten minutes to a first order')
      expect(guide).toContain(local)
      const { lines, errors } = await pasted(reader, guide)
      const total = lines[1]?.match(/: (\d+\.\d\d) /)?.[1]
      expect({ lines, errors }).toEqual({
        lines: [
          expect.stringMatching(/, \d+\.\d\d a bottle, http:\/\/\S+\/Images\/wine\/\d+\//),
          expect.stringMatching(/^six of them: \d+\.\d\d with \d+\.\d\d for sending$/),
          expect.stringMatching(new RegExp(`^order \\d+, \\w+, ${total}$`)),
        ],
        errors: expect.any(String),
      })
    },
    patience,
  )
})

test('no block for a shell in README has a comment, which zsh would run', () => {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(10)
  expect(blocks.filter(block => /(^|\s)#/m.test(block))).toEqual([])
})
