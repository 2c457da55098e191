// Made by `npm run client`.
/** A session of a merchant, as /service/login gives it; `expires` is `YYYY-MM-DD HH:MM:SS`, UTC. */
export type Session = {
    token: string;
    expires: string;
};
/** Where a session is kept. Whoever shares a store, in another process as well, shares the session. */
export type SessionStore = {
    get(): Promise<Session | undefined>;
    set(session: Session): Promise<void>;
};
/** Keeps a session as long as the process lives. */
export declare const inMemory: () => SessionStore;
/** Gives the token of the session that counts, or another one than the token that was `refused`. */
export type TokenSource = (refused?: string) => Promise<string>;
/**
 * Keeps a session: takes it from the store, or signs in, and does so again five minutes before it expires, or when its
 * token was refused. Whoever asks meanwhile waits for the one sign-in. Rejects as `signIn` and the store do.
 */
export declare const keepSession: (store: SessionStore, signIn: () => Promise<Session>) => TokenSource;
