import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '../../shared/contract/index.ts'

const fileIn = (folder: string): string => join(folder, 'errors-seen')

const remembered = new Set<string>()

/** Keeps, for the end of the run, that a route answered an error word. */
export const rememberError = (path: string, word: string): void => {
  const line = `${path} ${word}`
  if (remembered.has(line)) return
  remembered.add(line)
  appendFileSync(fileIn(process.env.TEST_TWIN ?? ''), `${line}\n`)
}

/** Why a declared word is not to be seen over HTTP in this suite. */
const unseen: Readonly<Record<string, string>> = {}

/** The declared error words that no test of a run has seen, and explanations that are no longer needed. */
export const errorsNeverSeen = (folder: string): { never: string[]; needless: string[] } => {
  const file = fileIn(folder)
  const seen = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  const declared = routes.flatMap(({ path, errors }) => errors.map(word => `${path} ${word}`))
  const never = declared.filter(line => !seen.has(line))
  return {
    never: never.filter(line => !unseen[line]),
    needless: Object.keys(unseen).filter(line => !never.includes(line)),
  }
}
