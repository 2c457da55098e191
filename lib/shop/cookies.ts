/**
 * What the shop remembers of a visitor: basket and last order by uuid, the token of the client, a mailbox of the demo, and
 * a key by which the service knows who signed in before.
 */
export type CookieName = 'basket' | 'client' | 'order' | 'mailbox' | 'visitor'

const day = 24 * 60 * 60

/** Seconds. A basket is kept for 90 days after its last change, a client is signed in for 12 hours. */
const maxAges: Record<CookieName, number> = {
  basket: 90 * day,
  client: day / 2,
  order: day,
  mailbox: 7 * day,
  visitor: 365 * day,
}

// Only what these answers made themselves is read back: uuids and tokens.
const isValue = (text: string): boolean => /^[\w-]{1,200}$/.test(text)

/** The cookies of one request, and those that its answer sets. */
export type Cookies = {
  get(name: CookieName): string | undefined
  set(name: CookieName, value: string): void
  remove(name: CookieName): void
  /** The Set-Cookie headers of what changed. */
  changed(): string[]
}

/** Reads a Cookie header. The cookies are for the shop's API alone, and no script can read them. */
export const cookiesOf = (header: string | null, isSecure: boolean): Cookies => {
  const values = new Map<string, string>()
  for (const pair of header?.split('; ') ?? []) {
    const [, name = '', value = ''] = /^shop_(\w+)=(.*)$/.exec(pair) ?? []
    // Browsers send the one of the narrowest path first: what another server of this machine set for all paths is later.
    if (isValue(value) && !values.has(name)) values.set(name, value)
  }
  const changes = new Map<CookieName, string>()
  const write = (name: CookieName, value: string, maxAge: number): void => {
    const secure = isSecure ? '; Secure' : ''
    changes.set(name, `shop_${name}=${value}; Path=/shop/api; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`)
  }
  return {
    get: name => values.get(name),
    set: (name, value) => {
      values.set(name, value)
      write(name, value, maxAges[name])
    },
    remove: name => {
      if (values.delete(name)) write(name, '', 0)
    },
    changed: () => [...changes.values()],
  }
}
