import { spawnSync } from 'node:child_process'
import { guides } from '../../shared/reference/guides.ts'
import { visit } from '../support/checkout.ts'
import { beginning, examplesIn, isShown, type Language, languages, run } from '../support/guide-examples.ts'
import { twin } from '../support/harness.ts'
import { newFolder, patience } from '../support/tool.ts'

// A reader pastes the examples of a guide, from its first to its last. What they change is the first demo merchant's,
// whose orders, baskets and addresses no other test looks at.

const folder = await newFolder()
const base = 'http://localhost:3000'

/** A reader of a guide opens the URL of a payment, alone on its line, and approves it. */
const approve = async (lines: readonly string[]): Promise<void> => {
  const [url = ''] = lines.length === 1 ? lines : []
  if (/^http.*\/sandbox\/pay\//.test(url)) await visit(url)
}

const hasPhp = spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0
const tried = languages.filter(language => language !== 'php' || hasPhp)

const cases = guides.flatMap(({ title, text }, n) =>
  tried.map(language => ({ title, language, examples: examplesIn(text, language), isFirst: n === 0 })),
)

test.each(cases)(
  'the examples of “$title” in $language do what the guide shows',
  async ({ language, examples, isFirst }) => {
    const start = isFirst ? [] : [beginning(language)]
    const blocks = [...start, ...examples.map(({ code }) => code)].map(code => code.replaceAll(base, twin.url))
    const outputs = (await run(language, blocks, folder, approve)).slice(start.length)
    for (const [n, { code, shown }] of examples.entries()) {
      const lines = outputs[n] ?? []
      const isRight =
        !shown || (lines.length === shown.length && lines.every((line, at) => isShown(line, shown[at] ?? '')))
      if (!isRight) throw new Error(`shown: ${shown?.join('\n')}\nbut was: ${lines.join('\n')}\nof:\n${code}`)
    }
  },
  patience,
)

test('the examples in PHP run if PHP is installed', () => {
  const phps = cases.filter(({ language }: { language: Language }) => language === 'php')
  if (!hasPhp)
    process.stderr.write('The examples in PHP were not tried: there is no php with its curl extension here.\n')
  expect(phps).toHaveLength(hasPhp ? guides.length : 0)
})
