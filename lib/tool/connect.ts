import { resolve } from 'node:path'
import { findTwin, type TwinConnection } from '../twin/twin-file.ts'
import { Refused } from './merchants.ts'

/** Where a tool works: on AWS when it is given the table's name, else on the twin that runs on this machine. */
export type Target = { table?: string; bucket?: string; stage?: string; dataDir?: string }

/** Makes this process an operator of a twin. */
export const actAsOperator = ({ stage, table, bucket, environment }: TwinConnection): void => {
  Object.assign(process.env, environment, { STAGE: stage, TABLE_NAME: table, BUCKET_NAME: bucket })
}

/**
 * Points stage, table and bucket of this process at the target. Rejects with Refused when no twin runs, or a table on
 * AWS is named without its stage: payment providers' secrets are named by the stage.
 */
export const connect = async ({ table, bucket, stage, dataDir = process.env.DATA_DIR ?? '.local' }: Target) => {
  if (table) {
    if (!stage) throw new Refused('name the stage of the table as well, as it was deployed: --stage NAME')
    Object.assign(process.env, { STAGE: stage, TABLE_NAME: table, ...(bucket && { BUCKET_NAME: bucket }) })
    return
  }
  const twin = await findTwin(resolve(dataDir))
  if (!twin)
    throw new Refused('no service runs on this machine; start it with npm start, or name a table on AWS with --table')
  actAsOperator(twin)
}
