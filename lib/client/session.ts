/** A session of a merchant, as /service/login gives it; `expires` is `YYYY-MM-DD HH:MM:SS`, UTC. */
export type Session = { token: string; expires: string }

/** Where a session is kept. Whoever shares a store, in another process as well, shares the session. */
export type SessionStore = {
  get(): Promise<Session | undefined>
  set(session: Session): Promise<void>
}

/** Keeps a session as long as the process lives. */
export const inMemory = (): SessionStore => {
  let kept: Session | undefined
  return {
    get: async () => kept,
    set: async session => {
      kept = session
    },
  }
}

const renewedAhead = 5 * 60_000
// However wrong the clock of this machine is: it must not sign in for each request.
const trustedAtLeast = 60_000

const expiryOf = ({ expires }: Session): number => Date.parse(`${expires.replace(' ', 'T')}Z`)

/** Gives the token of the session that counts, or another one than the token that was `refused`. */
export type TokenSource = (refused?: string) => Promise<string>

/**
 * Keeps a session: takes it from the store, or signs in, and does so again five minutes before it expires, or when its
 * token was refused. Whoever asks meanwhile waits for the one sign-in. Rejects as `signIn` and the store do.
 */
export const keepSession = (store: SessionStore, signIn: () => Promise<Session>): TokenSource => {
  let current: Session | undefined
  let openedAt = Number.NEGATIVE_INFINITY
  let renewing: Promise<Session> | undefined

  const counts = (session: Session, refused: string | undefined): boolean =>
    session.token !== refused &&
    (expiryOf(session) - renewedAhead > Date.now() ||
      (session === current && Math.abs(Date.now() - openedAt) < trustedAtLeast))

  const renew = async (refused: string | undefined): Promise<Session> => {
    const stored = await store.get()
    if (stored && counts(stored, refused)) {
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
    if (current && !renewing && counts(current, refused)) return current.token
    renewing ??= renew(refused).finally(() => {
      renewing = undefined
    })
    return (await renewing).token
  }
}
