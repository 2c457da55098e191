import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { guides } from '../../shared/reference/guides.ts'
import { childEnvironment } from './child-environment.ts'

export const languages = ['sh', 'js', 'php'] as const
export type Language = (typeof languages)[number]

/** A block of code in a guide, with the lines that are shown as its output; none where the guide shows none. */
export type Example = { code: string; shown: readonly string[] | undefined }

type Fence = { language: string; code: string; isNext: boolean }

// The code blocks of a guide; `isNext` is true if only blank lines separate a block from the previous one.
const fencesIn = (text: string): Fence[] => {
  let end = -1
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 0: whole, 1: language = '', 2: code = '', index }) => {
    const isNext = end >= 0 && text.slice(end, index).trim() === ''
    end = index + whole.length
    return { language, code, isNext }
  })
}

/** The examples of a guide in one language, in their order. What a block of `text` shows is of all blocks right before it. */
export const examplesIn = (text: string, language: Language): Example[] => {
  const fences = fencesIn(text)
  return fences.flatMap((fence, n) => {
    if (fence.language !== language) return []
    const after = fences.slice(n + 1)
    const apart = after.findIndex(({ isNext }) => !isNext)
    const shown = after.slice(0, apart < 0 ? after.length : apart).find(one => one.language === 'text')
    return [{ code: fence.code, shown: shown?.code.trimEnd().split('\n') }]
  })
}

/** The first block of the first guide, which all guides need: it signs in and defines a helper. */
export const beginning = (language: Language): string => examplesIn(guides[0]?.text ?? '', language)[0]?.code ?? ''

/** True if a line matches the line shown in a guide, where `…` replaces values that differ each time. */
export const isShown = (line: string, shown: string): boolean => {
  const [first = '', ...rest] = shown.split('…')
  if (rest.length === 0) return line === shown
  let at = first.length
  const isInOrder = rest.every(part => {
    const found = line.indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
  return line.startsWith(first) && isInOrder && line.endsWith(rest.at(-1) ?? '')
}

const mark = '-- next --'

// A machine may lack curl; the tests need nothing but Node.
const standIn = join(import.meta.dirname, 'fixtures/curl.ts')

/** Runs the blocks of a language: its program, a preamble, and code that reports the end of a block and waits for the next. */
const runners: Record<Language, { program: string; flags: string[]; before: string; next: string }> = {
  sh: {
    program: 'sh',
    flags: ['-eu'],
    before: `command -v curl >/dev/null || curl() { '${process.execPath}' '${standIn}' "$@"; }\n`,
    next: `echo '${mark}'; read -r _`,
  },
  js: {
    program: process.execPath,
    flags: [],
    before: `import { createInterface } from 'node:readline'
const linesOfTheTest = createInterface({ input: process.stdin })[Symbol.asyncIterator]()\n`,
    next: `console.log('${mark}'); await linesOfTheTest.next()`,
  },
  php: { program: 'php', flags: [], before: '<?php\n', next: `echo "${mark}\\n"; fgets(STDIN);` },
}

const without = (code: string): string => code.replace(/^<\?php\n/, '')

/** A file of the ending that is asked for. */
type Place = { path: (ending: string) => string }

/**
 * Runs blocks one after the other in one program, as a reader pastes them; `between` gets the output of each before the
 * next begins. Returns the outputs, in lines. Rejects when a block fails or writes a warning.
 */
export const run = async (
  language: Language,
  blocks: readonly string[],
  { path }: Place,
  between: (lines: readonly string[]) => Promise<void> = async () => {},
): Promise<string[][]> => {
  const { program, flags, before, next } = runners[language]
  const file = path(language === 'js' ? 'mjs' : language)
  await writeFile(file, [before, ...blocks.flatMap(code => [without(code), `${next}\n`])].join(''))
  const child = spawn(program, [...flags, file], { env: childEnvironment() })
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })
  const ended = new Promise<number | null>(done => child.once('close', done))
  const outputs: string[][] = []
  let lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== mark) {
      lines.push(line)
      continue
    }
    await between(lines)
    outputs.push(lines)
    lines = []
    if (outputs.length === blocks.length) child.stdin.end('\n')
    else child.stdin.write('\n')
  }
  const code = await ended
  if (code === 0 && complaints === '') return outputs
  const [failed = ''] = blocks.slice(outputs.length)
  throw new Error(`it ended with ${code}: ${complaints}\nin or after:\n${failed}\nwhich wrote:\n${lines.join('\n')}`)
}
