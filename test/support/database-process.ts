import { readdirSync, readFileSync } from 'node:fs'

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** The process id of the database that works on the data file of a folder; undefined when there is none. */
export const databaseOf = (folder: string): number | undefined => {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = pids.find(pid => /^\S*dynoxide /.test(commandOf(pid)) && commandOf(pid).includes(`${folder}/table.db`))
  return found === undefined ? undefined : Number(found)
}

/** Ends the database of a folder as a crash would. */
export const killDatabase = (folder: string): void => {
  const pid = databaseOf(folder)
  if (!pid) throw new Error(`no database works on ${folder}`)
  process.kill(pid, 'SIGKILL')
}
