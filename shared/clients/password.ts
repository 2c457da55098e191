import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { StoredPassword } from '../platform/table/items.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** What OWASP asks of scrypt where 16 MB are what a try may take. Kept beside each password, so that it can be raised. */
export const cost = { n: 2 ** 14, r: 8, p: 5 }
const length = 32

const derived = (password: string, salt: Buffer, { n, r, p }: typeof cost): Promise<Buffer> =>
  derive(password, salt, length, { N: n, r, p, maxmem: 256 * r * (n + p) })

/** What is kept of a password, at the usual cost unless told otherwise. */
export const storedPassword = async (password: string, costs = cost): Promise<StoredPassword> => {
  const salt = randomBytes(16)
  const hash = await derived(password, salt, costs)
  return { hash: hash.toString('base64'), salt: salt.toString('base64'), ...costs }
}

const nobodys = (): StoredPassword => ({
  hash: Buffer.alloc(length).toString('base64'),
  salt: Buffer.alloc(16).toString('base64'),
  ...cost,
})

/** Whether a password is the one that was kept; without one it is not, and that takes as long to find out. */
export const isPassword = async (password: string, kept: StoredPassword | undefined): Promise<boolean> => {
  const { salt, hash, ...present } = kept ?? nobodys()
  const given = await derived(password, Buffer.from(salt, 'base64'), present)
  return timingSafeEqual(given, Buffer.from(hash, 'base64')) && kept !== undefined
}
