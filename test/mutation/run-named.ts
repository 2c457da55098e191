import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type KnownMistake, named } from './named.ts'

const root = join(import.meta.dirname, '../..')
process.chdir(root)

let present: KnownMistake | undefined
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

// It takes the types out of what the hook above has changed.
const { TestFile } = await import('./test-file.ts')

/** The outcome of a mistake: seen by its test, or how it went unseen. */
const outcomeOf = async (one: KnownMistake): Promise<string> => {
  present = one
  applied = false
  const file = await TestFile.load(one.test)
  const tests = file.tests.filter(({ name }) => name.includes(one.named))
  if (tests.length === 0) return `no test of ${one.test} is called "${one.named}"`
  if (!applied) return `${one.file} does not hold "${one.text}" any more`
  for (const test of tests) if (await file.run(test)) return 'seen'
  return 'not seen'
}

const outcomes: Record<string, string> = {}
for (const one of named) outcomes[one.mistake] = await outcomeOf(one)
process.stdout.write(JSON.stringify(outcomes))
// Servers of test files are still open.
process.exit()
