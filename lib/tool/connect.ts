import { resolve } from 'node:path'
import { runningTwin, type TwinConnection } from '../twin/twin-file.ts'
import { Refused } from './merchants.ts'

/** Where a tool works: on AWS when it is given the table's name, else on the twin that runs on this machine. */
export type Target = { table?: string; bucket?: string; dataDir?: string }

/** Makes this process an operator of a twin. */
export const actAsOperator = ({ table, bucket, environment }: TwinConnection): void => {
  Object.assign(process.env, environment, { TABLE_NAME: table, BUCKET_NAME: bucket })
}

/** Points the table and the bucket of this process at the target. Throws Refused when no twin runs. */
export const connect = ({ table, bucket, dataDir = process.env.DATA_DIR ?? '.local' }: Target): void => {
  if (table) {
    Object.assign(process.env, { TABLE_NAME: table, ...(bucket && { BUCKET_NAME: bucket }) })
    return
  }
  const twin = runningTwin(resolve(dataDir))
  if (!twin)
    throw new Refused('no service runs on this machine; start it with npm start, or name a table on AWS with --table')
  actAsOperator(twin)
}
