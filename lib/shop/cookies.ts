import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What the shop remembers of a visitor: basket and last order by uuid, the token of the client, a mailbox of the demo, and
 * a key by which the service knows who signed in before.
 */
type CookieName = 'basket' | 'client' | 'order' | 'mailbox' | 'visitor'

const day = 24 * 60 * 60

/** Seconds. A basket is kept for 90 days after its last change, a client is signed in for 12 hours. */
const maxAges: Record<CookieName, number> = {
  basket: 90 * day,
  client: day / 2,
  order: day,
  mailbox: 7 * day,
  visitor: 365 * day,
}

/** How cookies are set: `key` signs them, with `isSecure` they are sent over HTTPS alone. */
export type CookieOptions = { key: Uint8Array; isSecure: boolean }

// A visitor who learned the uuid of an order or a basket must not make a cookie of it, so each is signed with its name.
const signatureOf = (name: string, value: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(`${name}=${value}`).digest('base64url')

/** The value of a cookie with a right signature; undefined of any other. */
const signedValue = (name: string, text: string, key: Uint8Array): string | undefined => {
  const [, value = '', signature = ''] = /^([\w-]{1,200})\.([\w-]{43})$/.exec(text) ?? []
  if (!value) return undefined
  const right = Buffer.from(signatureOf(name, value, key))
  return timingSafeEqual(Buffer.from(signature), right) ? value : undefined
}

/** The cookies of one request, and those that its answer sets. */
export type Cookies = {
  get(name: CookieName): string | undefined
  set(name: CookieName, value: string): void
  remove(name: CookieName): void
  /** The Set-Cookie headers of what changed. */
  changed(): string[]
}

/** Reads a Cookie header. The cookies are for the shop's API alone, and no script can read them. */
export const cookiesOf = (header: string | null, { key, isSecure }: CookieOptions): Cookies => {
  const values = new Map<string, string>()
  for (const pair of header?.split('; ') ?? []) {
    const [, name = '', text = ''] = /^shop_(\w+)=(.*)$/.exec(pair) ?? []
    const value = signedValue(name, text, key)
    // Browsers send the one of the narrowest path first: what another server of this machine set for all paths is later.
    if (value && !values.has(name)) values.set(name, value)
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
      write(name, `${value}.${signatureOf(name, value, key)}`, maxAges[name])
    },
    remove: name => {
      if (values.delete(name)) write(name, '', 0)
    },
    changed: () => [...changes.values()],
  }
}
