import { createHmac, timingSafeEqual } from 'node:crypto'

const day = 24 * 60 * 60

/** The cookies and their lifetimes in seconds. */
const maxAges = {
  /** The basket's uuid, for 90 days after its last change. */
  basket: 90 * day,
  /** The client's token, as long as the service accepts it. */
  client: day / 2,
  /** The last order's uuid. */
  order: day,
  mailbox: 7 * day,
  /** Identifies a browser that signed in before. */
  visitor: 365 * day,
}

type CookieName = keyof typeof maxAges

/** `key` signs the cookies; with `isSecure` browsers send them over HTTPS only. */
export type CookieOptions = { key: Uint8Array; isSecure: boolean }

// A visitor who learned the uuid of an order or a basket must not make a cookie of it, so each is signed with its name.
const signatureOf = (name: string, value: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(`${name}=${value}`).digest('base64url')

/** Returns the value of a cookie with a valid signature. */
const signedValue = (name: string, text: string, key: Uint8Array): string | undefined => {
  const [, value = '', signature = ''] = /^([\w-]{1,200})\.([\w-]{43})$/.exec(text) ?? []
  if (!value) return undefined
  const expected = Buffer.from(signatureOf(name, value, key))
  return timingSafeEqual(Buffer.from(signature), expected) ? value : undefined
}

/** The cookies of one request, and those that its response sets. */
export type Cookies = {
  get(name: CookieName): string | undefined
  set(name: CookieName, value: string): void
  remove(name: CookieName): void
  /** The Set-Cookie headers of all changes. */
  changed(): string[]
}

/** Reads a Cookie header. */
export const cookiesOf = (header: string | null, { key, isSecure }: CookieOptions): Cookies => {
  const values = new Map<string, string>()
  for (const pair of header?.split('; ') ?? []) {
    const [, name = '', text = ''] = /^shop_(\w+)=(.*)$/.exec(pair) ?? []
    const value = signedValue(name, text, key)
    // The first cookie has the narrowest path: another server on this machine may have set a later cookie for all paths.
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
