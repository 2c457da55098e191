import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Checks the prose of comments, test names and Markdown: `npm run check` runs it. The words are those of the table "Words"
// in CONTRIBUTING.
const root = join(import.meta.dirname, '..')
const wordList = '.github/CONTRIBUTING.md'

const read = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n')

/** The words and phrases in the first column of the table below the heading "Words". */
const listedWords = (): RegExp => {
  const section =
    read(wordList)
      .join('\n')
      .split('\n## ')
      .find(text => text.startsWith('Words\n')) ?? ''
  const cells = section.split('\n').map(row => row.split('|')[1] ?? '')
  const words = cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word))
  if (words.length === 0) throw new Error(`${wordList} lists no words`)
  return new RegExp(`\\b(${words.join('|')})\\b`, 'i')
}

const comment = /^\s*(?:\/\*\*|\/\/|\*)\s+(.*)/
const testName = /^\s*(?:describe|it|test)(?:\.each)?\(\s*(['"`])(.*?)\1/
const headless = /^(What|Whether|Whose|Whoever|Who|Whom|Of what|Of whom) (?!.*\?$)/

type Line = { file: string; line: number; text: string; isMarkdown?: boolean }

const ofCode = (file: string): Line[] =>
  read(file).flatMap((source, index) => {
    const text = comment.exec(source)?.[1] ?? testName.exec(source)?.[2]
    return text === undefined ? [] : [{ file, line: index + 1, text }]
  })

const ofMarkdown = (file: string): Line[] => {
  let isCode = false
  return read(file).flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) isCode = !isCode
    const isOfTheList = file === wordList && text.startsWith('| `')
    return isCode || isOfTheList ? [] : [{ file, line: index + 1, text, isMarkdown: true }]
  })
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.js', '*.mjs', '*.md'], {
  cwd: root,
})
const listed = listedWords()
const faults = files
  .toString()
  .trim()
  .split('\n')
  .flatMap(file => (file.endsWith('.md') ? ofMarkdown(file) : ofCode(file)))
  .flatMap(({ file, line, text, isMarkdown }) => {
    const found = (isMarkdown ? null : headless.exec(text)?.[1]) ?? listed.exec(text)?.[1]
    return found ? [`${file}:${line}: "${found}": ${text}`] : []
  })

for (const fault of faults) process.stdout.write(`${fault}\n`)
if (faults.length > 0)
  process.stderr.write(`${faults.length} lines use a listed word or begin without a subject: ${wordList}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
