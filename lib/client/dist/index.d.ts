// Made by `npm run client`.
export { type AllOptions, type Answer, type Body, type CallOptions, type Client, type ClientOptions, createClient, type ListPath, type ListRecord, type Path, } from './client.js';
export { type BadField, ConnectionError, isError, WeinkontorError } from './errors.js';
export type { Attempt } from './request.js';
export type * from './routes.js';
export type { Session, SessionStore } from './session.js';
