// Made by `npm run client`.
import type { ErrorWord } from './routes.js';
/** One bad field of a request: where, and the rule it breaks; of an item also which goods it is about. */
export type BadField = {
    path: string;
    rule: string;
    expected: string;
    item_type?: string;
    item_id?: number;
};
/** What arrived of an answer: `body` is parsed, undefined unless it is a JSON object. */
export type Arrived = {
    status: number;
    headers: Headers;
    body: Record<string, unknown> | undefined;
};
/** What the service, or the gateway before it, calls the request of an answer. */
export declare const requestIdOf: ({ headers, body }: Arrived) => string | undefined;
/** The service refused a request, or failed. `message` is for people; decide by `word`. */
export declare class WeinkontorError extends Error {
    /** The route that was called; `/service/login` when nobody could be signed in. */
    readonly path: string;
    /** The HTTP status. */
    readonly status: number;
    /** The error word of the contract; undefined when something before the service answered, as its gateway does. */
    readonly word: ErrorWord | undefined;
    /** A sentence for people, in English. */
    readonly details: string;
    /** Every bad field of the request, 20 at most. */
    readonly fields: readonly BadField[];
    /** What to quote when the answer is reported. */
    readonly requestId: string | undefined;
    /** In so many seconds the request may be repeated; undefined where the answer does not say. */
    readonly retryAfter: number | undefined;
    constructor(path: string, answer: Arrived);
}
/** No answer arrived: the network failed, or the time was over. What the request was to do may have been done. */
export declare class ConnectionError extends Error {
    /** The route that was called. */
    readonly path: string;
    /** The host that was asked, with its port. */
    readonly host: string;
    /** The system's code of the failure, as ECONNREFUSED; undefined in browsers, which hide it, and after a timeout. */
    readonly code: string | undefined;
    constructor(path: string, host: string, cause: unknown);
}
/** Whether the service refused with one of these words; with any, or none, where no word is given. */
export declare const isError: <Word extends ErrorWord = ErrorWord>(error: unknown, ...words: readonly Word[]) => error is WeinkontorError & {
    readonly word: Word;
};
