import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Named, named } from './named.ts'
import { runTests } from './run-tests.ts'

const root = join(import.meta.dirname, '../..')
process.chdir(root)

let present: Named | undefined
let applied = false

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const [address] = url.split('?')
    if (!present || address !== pathToFileURL(join(root, present.file)).href) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    applied = source.includes(present.text)
    return { ...loaded, source: source.replace(present.text, () => present?.instead ?? '') }
  },
})

/** What became of a mistake: seen by its test, or how it went unseen. */
const outcomeOf = async (one: Named): Promise<string> => {
  present = one
  applied = false
  const tests = await runTests([one.test], one.named)
  const ran = tests.filter(({ status }) => status !== 'skipped')
  if (ran.length === 0) return `no test of ${one.test} is called "${one.named}"`
  if (!applied) return `${one.file} does not hold "${one.text}" any more`
  return ran.some(({ status }) => status === 'failed') ? 'seen' : 'not seen'
}

const outcomes: Record<string, string> = {}
for (const one of named) outcomes[one.mistake] = await outcomeOf(one)
process.stdout.write(JSON.stringify(outcomes))
// Servers of test files may still be closing.
process.exit()
