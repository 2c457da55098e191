import type { Readable } from 'node:stream'
import { S3Error } from './errors.ts'
import type { ObjectStore } from './object-store.ts'
import type { Payload } from './payload.ts'
import type { S3Request } from './request.ts'

/** One authenticated call as IAM sees it; `key` is empty for calls on a bucket, `prefix` is what a listing asks for. */
export type S3Call = {
  principal: string
  action: string
  bucket: string
  key: string
  presigned: boolean
  signatureAgeMs: number
  prefix?: string
}

/** What goes back to the client. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string | Readable }

/** What an operation works with; `may` asks the policies, `demand` throws AccessDenied when they refuse. */
export type Context = {
  request: S3Request
  store: ObjectStore
  now: number
  may(action: string, key?: string): boolean
  demand(action: string, key?: string): void
  payload(): Promise<Payload>
}

/**
 * One S3 operation: its IAM action, the query parameters it understands, and its work. The server has demanded the
 * action before `run`, except where `asksPerKey` says that the operation asks for every key of its body itself.
 */
export type Operation = {
  action: string
  parameters: string[]
  asksPerKey?: boolean
  run(context: Context): Promise<Reply>
}

/** The refusal of a call no policy allows, naming the action and the resource as S3 does. */
export const accessDenied = (principal: string, action: string, bucket: string, key: string): S3Error => {
  const resource = `arn:aws:s3:::${bucket}${key === '' ? '' : `/${key}`}`
  const message =
    `User: ${principal} is not authorized to perform: ${action} on resource: "${resource}" ` +
    `because no policy allows the ${action} action`
  return new S3Error('AccessDenied', message)
}
