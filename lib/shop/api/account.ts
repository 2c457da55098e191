import { randomUUID } from 'node:crypto'
import { activationMail, passwordMail } from '../mails.ts'
import { shownClient, shownOrder } from '../records.ts'
import { Refusal } from '../refusal.ts'
import { type Person, personFields, type Visit } from '../visit.ts'

/** What a visitor says of itself; what the service would take besides stays out. */
const personIn = ({ fields }: Visit) =>
  Object.fromEntries(personFields.map(name => [name, fields[name] ?? null])) as Person

const mustBeSignedIn = ({ isSignedIn }: Visit): void => {
  if (!isSignedIn) throw new Refusal(401, 'client_token_missing')
}

/**
 * Signs a client in; its token stays in a cookie that no script reads. The visitor's key lets those through who signed in
 * here before, while others guess the password.
 */
export const signIn = async ({ client, cookies, fields, tries, address }: Visit) => {
  const { mail, password } = fields
  const caller = cookies.get('visitor') ?? randomUUID()
  cookies.set('visitor', caller)
  const { data } = await tries(address, () => client.call('/service/clients/login', { mail, password, caller }))
  cookies.set('client', data.token)
  const own = await client.forClient(data.token).call('/service/clients/get')
  return { client: shownClient(own.data) }
}

/**
 * Ends the client's sign-in, and forgets the order that the browser may still be shown. The browser is signed out even if
 * the service cannot be reached: the next person at it must not go on.
 */
export const signOut = async ({ client, cookies, isSignedIn }: Visit) => {
  cookies.remove('client')
  cookies.remove('order')
  if (isSignedIn) await client.call('/service/clients/logout')
  return {}
}

/** Registers a client; the hash goes to its mailbox, and the account waits for it to come back. */
export const register = async (visit: Visit) => {
  const { client, cookies, fields, language, mailbox, origin } = visit
  const { mail, password } = fields
  const { data } = await client.call('/service/clients/register', { data: { ...personIn(visit), mail, password } })
  mailbox.send(cookies, activationMail(data.mail, `${origin}/shop/activate#${data.lostpassword_hash}`, language))
  return {}
}

/** Brings an account into force by the hash of its mail. */
export const activate = async ({ client, fields }: Visit) => {
  const { data } = await client.call('/service/clients/activate', { hash: fields.hash })
  return { mail: data.mail }
}

/** Sends a hash to whoever forgot the password; of an unknown mail nobody learns that it is unknown. */
export const forgot = async ({ client, cookies, fields, language, mailbox, origin }: Visit) => {
  const { data } = await client.call('/service/clients/getPasswordHash', { mail: fields.mail })
  mailbox.send(cookies, passwordMail(String(fields.mail), `${origin}/shop/reset#${data.hash}`, language))
  return {}
}

/** Sets a new password by the hash of a mail. */
export const reset = async ({ client, cookies, fields }: Visit) => {
  const { hash, password } = fields
  const { data } = await client.call('/service/clients/resetPassword', { hash, password })
  cookies.remove('client')
  return { mail: data.mail }
}

/** The client's own data. */
export const account = async (visit: Visit) => {
  mustBeSignedIn(visit)
  return { client: shownClient((await visit.client.call('/service/clients/get')).data) }
}

/** Changes the client's own data. */
export const edit = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const { data } = await visit.client.call('/service/clients/edit', { data: personIn(visit) })
  return { client: shownClient(data) }
}

/** The client's orders, the newest first. */
export const orders = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const { page } = visit.fields
  const answer = await visit.client.call('/service/clients/orders/getAll', {
    include: 'items',
    page: page ?? 1,
    pageSize: 10,
  })
  return { orders: answer.data.map(shownOrder), total: answer.totalCount, pages: answer.pages }
}

/** One order of the client. */
export const ownOrder = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const answer = await visit.client.call('/service/clients/orders/get', { uuid: visit.fields.uuid })
  return { order: shownOrder(answer.data) }
}
