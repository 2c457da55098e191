export {
  type AllOptions,
  type Answer,
  type Body,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type ListPath,
  type ListRecord,
  type Path,
} from './client.ts'
export { type BadField, ConnectionError, isError, WeinkontorError } from './errors.ts'
export type { Attempt } from './request.ts'
export type * from './routes.ts'
export type { Session, SessionStore } from './session.ts'
