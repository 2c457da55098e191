import { readdirSync, readFileSync } from 'node:fs'

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Returns the process id of the database of a folder; undefined without one. */
export const databaseOf = (folder: string): number | undefined => {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = pids.find(pid => /^\S*dynoxide /.test(commandOf(pid)) && commandOf(pid).includes(`${folder}/table.db`))
  return found === undefined ? undefined : Number(found)
}

/** Kills the database of a folder. */
export const killDatabase = (folder: string): void => {
  const pid = databaseOf(folder)
  if (!pid) throw new Error(`no database works on ${folder}`)
  process.kill(pid, 'SIGKILL')
}
