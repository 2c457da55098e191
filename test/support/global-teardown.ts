import { rm } from 'node:fs/promises'
import type { Config } from 'jest'
import { errorsNeverSeen } from './declared-errors.ts'
import type { TwinProcess } from './running-twin.ts'

const shared = globalThis as { twinOfTests?: TwinProcess; twinFolder?: string }

type Run = Pick<Config, 'testNamePattern'> & { testPathPatterns?: { patterns: string[] } }

/** Names the error words that routes declare and no test has seen; fails when the whole suite ran. */
const checkErrors = (folder: string, { testPathPatterns, testNamePattern }: Run): void => {
  if (testNamePattern || (testPathPatterns?.patterns.length ?? 0) > 0) return
  const { never, needless } = errorsNeverSeen(folder)
  const lines = [
    ...never.map(line => `declared and never seen: ${line}`),
    ...needless.map(line => `explained as never seen, but seen: ${line}`),
  ]
  if (lines.length > 0) throw new Error(lines.join('\n'))
}

export default async (run: Run): Promise<void> => {
  await shared.twinOfTests?.stop()
  const { twinFolder } = shared
  if (!twinFolder) return
  try {
    checkErrors(twinFolder, run)
  } finally {
    await rm(twinFolder, { recursive: true, force: true })
  }
}
