// Made by `npm run client`.
import { type Page } from './pages.js';
import { type Attempt } from './request.js';
import type { Routes } from './routes.js';
import { type SessionStore } from './session.js';
/** The path of a route. */
export type Path = keyof Routes;
/** What a route is sent. */
export type Body<P extends Path> = Routes[P]['body'];
/** What a route answers, the whole body. */
export type Answer<P extends Path> = Routes[P]['answer'];
/** The path of a list route. */
export type ListPath = {
    [P in Path]: Answer<P> extends Page ? P : never;
}[Path];
/** One record of a list. */
export type ListRecord<P extends ListPath> = Answer<P>['data'][number];
export type ClientOptions = {
    /** Base URL of the service, with http:// or https://. */
    url: string;
    /** AuthID and API token of the merchant; without them only public routes can be called. */
    authid?: string | undefined;
    token?: string | undefined;
    /** Where the session is kept; in memory unless given. */
    session?: SessionStore | undefined;
    fetch?: typeof globalThis.fetch | undefined;
    /** Milliseconds that each try may take; 30,000 unless given. */
    timeout?: number | undefined;
    /** How often a request is repeated at most; 3 unless given. */
    retries?: number | undefined;
    /** Called when a try of a request is over, sign-ins included, for logs and measures. It must not throw. */
    onAttempt?: ((attempt: Attempt) => void) | undefined;
};
export type CallOptions = {
    /** Token of the merchant's client, from /service/clients/login. */
    clientToken?: string | undefined;
    /** For /service/orders/add: what makes repeats of an order known, in a later call as well; one is made unless given. */
    idempotencyKey?: string | undefined;
    signal?: AbortSignal | undefined;
    /** Milliseconds that each try of this call may take, instead of the client's. */
    timeout?: number | undefined;
    /** How often this call is repeated at most, instead of the client's. */
    retries?: number | undefined;
};
export type AllOptions = CallOptions & {
    /** So many records are given at most. */
    limit?: number | undefined;
};
/** What follows the path: the body may be left out where nothing in it is required. */
type Rest<P extends Path, Options = CallOptions> = Record<never, never> extends Body<P> ? [body?: Body<P>, options?: Options] : [body: Body<P>, options?: Options];
export type Client = {
    /**
     * Calls a route and gives the whole body of its answer. Rejects with WeinkontorError when the service refuses, with
     * ConnectionError when no answer arrives, and with the reason of `signal` when that aborts.
     */
    call<P extends Path>(path: P, ...rest: Rest<P>): Promise<Answer<P>>;
    /** The answers of a list route, page after page, from the page that the body asks for. */
    pages<P extends ListPath>(path: P, ...rest: Rest<P>): AsyncGenerator<Answer<P>, void, undefined>;
    /** The records of a list route, each once, over all pages, or the first `limit` of them. */
    all<P extends ListPath>(path: P, ...rest: Rest<P, AllOptions>): AsyncGenerator<ListRecord<P>, void, undefined>;
    /** A client that acts for a client of the merchant who is signed in; it shares the session. */
    forClient(clientToken: string): Client;
    /** The absolute link to a picture or PDF, of which records hold the path. */
    url(path: string): string;
};
/** Makes a client of the service. Throws a TypeError when `url` is no http URL. */
export declare const createClient: (options: ClientOptions) => Client;
export {};
