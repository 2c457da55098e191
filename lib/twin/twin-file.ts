import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How tools on this machine reach a running twin; it stands in `twin.json` in the twin's folder. */
export type TwinConnection = {
  pid: number
  url: string
  /** Where the numbers of DynamoDB and S3 requests of each function can be read. */
  requests: string
  table: string
  bucket: string
  /** What an AWS SDK needs: endpoints, region and the operator's credentials. */
  environment: Record<string, string>
}

/** The file that tells how to reach the twin of a folder. */
export const twinFile = (folder: string): string => join(folder, 'twin.json')

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** How to reach the twin of a folder; undefined when none is running there. */
export const runningTwin = (folder: string): TwinConnection | undefined => {
  try {
    const access = JSON.parse(readFileSync(twinFile(folder), 'utf8')) as TwinConnection
    return isRunning(access.pid) ? access : undefined
  } catch {
    return undefined
  }
}
