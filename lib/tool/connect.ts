import { resolve } from 'node:path'
import { findTwin, type TwinConnection } from '../twin/twin-file.ts'
import { Refused } from './merchants.ts'

/** The stage that a command works on: with a table's name a stage on AWS, else the twin that runs on this machine. */
export type Target = { table?: string; bucket?: string; stage?: string; dataDir?: string }

/** Gives this process the credentials and environment of a twin's operator. */
export const actAsOperator = ({ stage, table, bucket, environment }: TwinConnection): void => {
  Object.assign(process.env, environment, { STAGE: stage, TABLE_NAME: table, BUCKET_NAME: bucket })
}

/**
 * Sets the stage, table and bucket of this process. Throws Refused if no twin runs, or for a table on AWS without its
 * stage, which is part of the names of payment credentials.
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
