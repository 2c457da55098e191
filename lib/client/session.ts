/** A session from /service/login; `expires` is `YYYY-MM-DD HH:MM:SS`, UTC. */
export type Session = { token: string; expires: string }

/** Stores a session; clients that share a store, in other processes as well, share the session. */
export type SessionStore = {
  get(): Promise<Session | undefined>
  set(session: Session): Promise<void>
}

/** Stores a session in memory. */
export const inMemory = (): SessionStore => {
  let stored: Session | undefined
  return {
    get: async () => stored,
    set: async session => {
      stored = session
    },
  }
}

const renewBeforeMs = 5 * 60_000
// If the clock of this machine is wrong, it must not sign in for each request.
const minLifetimeMs = 60_000

const expiryOf = ({ expires }: Session): number => Date.parse(`${expires.replace(' ', 'T')}Z`)

/** Returns the token of a valid session, other than the token that was `refused`. */
export type TokenSource = (refused?: string) => Promise<string>

/**
 * Reads the session from the store or signs in, and again five minutes before it expires or if its token was refused.
 * Concurrent calls wait for one sign-in. Rejects as `signIn` and the store.
 */
export const keepSession = (store: SessionStore, signIn: () => Promise<Session>): TokenSource => {
  let current: Session | undefined
  let openedAt = Number.NEGATIVE_INFINITY
  let renewing: Promise<Session> | undefined

  const isValid = (session: Session, refused: string | undefined): boolean =>
    session.token !== refused &&
    (expiryOf(session) - renewBeforeMs > Date.now() ||
      (session === current && Math.abs(Date.now() - openedAt) < minLifetimeMs))

  const renew = async (refused: string | undefined): Promise<Session> => {
    const stored = await store.get()
    if (stored && isValid(stored, refused)) {
      current = stored
      return stored
    }
    const { token, expires } = await signIn()
    const session = { token, expires }
    current = session
    openedAt = Date.now()
    await store.set(session)
    return session
  }

  return async refused => {
    if (current && !renewing && isValid(current, refused)) return current.token
    renewing ??= renew(refused).finally(() => {
      renewing = undefined
    })
    return (await renewing).token
  }
}
