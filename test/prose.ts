import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Checks the prose of comments, Markdown and texts that a call begins with (names of tests, messages of errors and of the
// log): `npm run check` runs it. The words are those of the table "Words" in CONTRIBUTING.
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
const firstText = /[\w)\]]\(\s*(?:(['"`])((?:\\.|(?!\1)[^\\])*)\1)/gs
const headless = /^(What|Whether|Whose|Whoever|Who|Whom|Of what|Of whom) (?!.*\?$)/

type Line = { file: string; line: number; text: string; isSentence: boolean }

const ofCode = (file: string): Line[] => {
  const lines = read(file)
  const source = lines.join('\n')
  const comments = lines.flatMap((text, index) => {
    const found = comment.exec(text)?.[1]
    return found === undefined ? [] : [{ file, line: index + 1, text: found, isSentence: true }]
  })
  const texts = [...source.matchAll(firstText)].map(({ index, 2: text = '' }) => ({
    file,
    line: source.slice(0, index).split('\n').length,
    text: text.replace(/\$\{[^}]*\}/g, '…'),
    isSentence: false,
  }))
  return [...comments, ...texts.filter(({ text }) => /\w \w/.test(text))]
}

const ofMarkdown = (file: string): Line[] => {
  let isCode = false
  return read(file).flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) isCode = !isCode
    const isOfTheList = file === wordList && text.startsWith('| `')
    return isCode || isOfTheList ? [] : [{ file, line: index + 1, text, isSentence: false }]
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
  .flatMap(({ file, line, text, isSentence }) => {
    const found = (isSentence ? headless.exec(text)?.[1] : null) ?? listed.exec(text)?.[1]
    return found ? [`${file}:${line}: "${found}": ${text}`] : []
  })

for (const fault of faults) process.stdout.write(`${fault}\n`)
if (faults.length > 0)
  process.stderr.write(`${faults.length} lines use a listed word or begin without a subject: ${wordList}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
