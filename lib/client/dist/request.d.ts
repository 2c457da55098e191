// Made by `npm run client`.
/** A request as it is sent, once or more often. */
export type Request = {
    path: string;
    url: string;
    method: 'GET' | 'POST';
    headers: Headers;
    body: string | undefined;
};
type Fields = Readonly<Record<string, unknown>>;
/**
 * The URL of a GET with its fields: those that the path names stand there, the others in the query string. Throws a
 * TypeError when one is missing that the path names, or would lead to another path.
 */
export declare const urlOfGet: (base: string, path: string, fields: Fields) => string;
/** The path of a link: the records of the service hold paths; what is a whole URL stays one. */
export declare const linkTo: (base: string, path: string) => string;
/** One try of a request, when it is over. */
export type Attempt = {
    path: string;
    method: 'GET' | 'POST';
    /** The HTTP status; undefined when no answer arrived. */
    status: number | undefined;
    /** How long the try took, in milliseconds, its answer's body included. */
    ms: number;
    /** 1 for the first try of a call. */
    attempt: number;
    /** What the service calls this request in its log. */
    requestId: string | undefined;
};
/** How one try is made: `timeout` in milliseconds, its answer's body included; `attempt` counts from 1. */
export type Try = {
    signal: AbortSignal | undefined;
    timeout: number;
    attempt: number;
};
/** The base URL of the service, without a slash at its end. Throws a TypeError when it is no http URL. */
export declare const baseOf: (url: string) => string;
/** Sends requests by `fetch`, and tells `onAttempt` of each try. */
export declare const sender: (fetch: typeof globalThis.fetch, onAttempt?: (attempt: Attempt) => void) => (request: Request, { signal, timeout, attempt }: Try) => Promise<unknown>;
export {};
