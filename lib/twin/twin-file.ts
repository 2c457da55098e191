import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderHolder } from './lock.ts'

/** How tools on this machine reach a running twin; stored as `twin.json` in the twin's folder. */
export type TwinConnection = {
  pid: number
  url: string
  /** Where the numbers of DynamoDB and S3 requests of each function can be read. */
  requests: string
  stage: string
  table: string
  bucket: string
  /** The names of the functions, by their files below functions/. */
  functions: Record<string, string>
  /** Environment variables of an AWS SDK: endpoints, region and the operator's credentials. */
  environment: Record<string, string>
}

export const twinFile = (folder: string): string => join(folder, 'twin.json')

const readConnection = async (folder: string): Promise<TwinConnection | undefined> => {
  try {
    return JSON.parse(await readFile(twinFile(folder), 'utf8'))
  } catch {
    return undefined
  }
}

/** Writes how to reach this twin, with the operator's credentials, for the owner of the folder. */
export const writeConnection = (folder: string, connection: TwinConnection): Promise<void> =>
  writeFile(twinFile(folder), JSON.stringify(connection, null, 2), { mode: 0o600 })

/** Removes what writeConnection wrote, unless another twin has written its own since. */
export const removeConnection = async (folder: string, { pid, url }: TwinConnection): Promise<void> => {
  const present = await readConnection(folder)
  if (present?.pid === pid && present.url === url) await rm(twinFile(folder), { force: true })
}

/** How to reach the twin of a folder; undefined when none is running there. Rejects with HolderSilent. */
export const findTwin = async (folder: string): Promise<TwinConnection | undefined> => {
  const connection = await readConnection(folder)
  // A twin that was killed left its file behind, and its process id may be another process's by now.
  return connection && (await folderHolder(folder)) === connection.pid ? connection : undefined
}
