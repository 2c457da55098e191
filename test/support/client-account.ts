import { storeRegistration } from '../../shared/clients/accounts.ts'
import { storedPassword } from '../../shared/clients/passwords.ts'
import type { Client } from '../../shared/contract/records/client.ts'
import type { Answer, Options, Shop } from './harness.ts'

/** A client of a shop who is signed in; `call` sends its token along. */
export type Account = {
  id: number
  mail: string
  password: string
  token: string
  call(route: string, body?: unknown, options?: Options): Promise<Answer>
}

let accounts = 0

/** A password in the form that shops send: a digest. */
export const passwordOf = (name: string): string => Buffer.from(name.padEnd(16)).toString('hex').slice(0, 32)

/** Signs a client in. */
export const signedIn = async (
  shop: Shop,
  { mail, password }: Pick<Account, 'mail' | 'password'>,
): Promise<Account> => {
  const { id, token } = (await shop.call('clients/login', { mail, password })).json.data
  return {
    ...{ id, mail, password, token },
    call: (route, body, options) =>
      shop.call(route, body, { ...options, headers: { 'client-authorization': token, ...options?.headers } }),
  }
}

// A password costs a core a tenth of a second; that of a test costs nothing.
const cheap = { n: 2, r: 1, p: 1 }

/** Registers a client of a shop, proves its mail and signs it in. */
export const newAccount = async (shop: Shop, data: Partial<Client> = {}): Promise<Account> => {
  const mail = data.mail ?? `konto${++accounts}@example.org`
  const password = passwordOf(mail)
  const person = { first_name: 'Ada', last_name: 'Konto', ...data, mail }
  const { lostpassword_hash: hash } = await storeRegistration(shop.id, person, await storedPassword(password, cheap))
  await shop.call('clients/activate', { hash })
  return signedIn(shop, { mail, password })
}
