import { randomUUID } from 'node:crypto'
import { Refusal } from '../errors.ts'
import { linkMail } from '../mails.ts'
import { shownClient, shownOrder } from '../records.ts'
import { type Person, personFields, type Visit } from '../visit.ts'

/** The personal data of a request, without other fields that the service would take. */
const personIn = ({ fields }: Visit) =>
  Object.fromEntries(personFields.map(name => [name, fields[name] ?? null])) as Person

const mustBeSignedIn = ({ isSignedIn }: Visit): void => {
  if (!isSignedIn) throw new Refusal(401, 'client_token_missing')
}

/** Signs a client in. The visitor cookie exempts a browser that signed in before from the limit of the service. */
export const signIn = async ({ client, cookies, fields, limitSignIn, address }: Visit) => {
  const { mail, password } = fields
  const caller = cookies.get('visitor') ?? randomUUID()
  cookies.set('visitor', caller)
  const { data } = await limitSignIn(address, () => client.call('/service/clients/login', { mail, password, caller }))
  cookies.set('client', data.token)
  const own = await client.forClient(data.token).call('/service/clients/get')
  return { client: shownClient(own.data) }
}

/** Signs out, and hides the last order. The browser is signed out even if the service cannot be reached. */
export const signOut = async ({ client, cookies, isSignedIn }: Visit) => {
  cookies.remove('client')
  cookies.remove('order')
  if (isSignedIn) await client.call('/service/clients/logout')
  return {}
}

/** Registers a client; the link in its mail activates the account. */
export const register = async (visit: Visit) => {
  const { client, cookies, fields, language, mailbox, origin } = visit
  const { mail, password } = fields
  const { data } = await client.call('/service/clients/register', { data: { ...personIn(visit), mail, password } })
  mailbox.send(
    cookies,
    linkMail('activation', data.mail, `${origin}/shop/activate#${data.lostpassword_hash}`, language),
  )
  return {}
}

export const activate = async ({ client, fields }: Visit) => {
  const { data } = await client.call('/service/clients/activate', { hash: fields.hash })
  return { mail: data.mail }
}

/** Mails a link to a new password. The response does not reveal if the account exists. */
export const forgot = async ({ client, cookies, fields, language, mailbox, origin }: Visit) => {
  const { data } = await client.call('/service/clients/getPasswordHash', { mail: fields.mail })
  mailbox.send(cookies, linkMail('password', String(fields.mail), `${origin}/shop/reset#${data.hash}`, language))
  return {}
}

export const reset = async ({ client, cookies, fields }: Visit) => {
  const { hash, password } = fields
  const { data } = await client.call('/service/clients/resetPassword', { hash, password })
  cookies.remove('client')
  return { mail: data.mail }
}

export const account = async (visit: Visit) => {
  mustBeSignedIn(visit)
  return { client: shownClient((await visit.client.call('/service/clients/get')).data) }
}

export const edit = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const { data } = await visit.client.call('/service/clients/edit', { data: personIn(visit) })
  return { client: shownClient(data) }
}

export const orders = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const query = { include: 'items' as const, page: visit.fields.page ?? 1, pageSize: 10 }
  const { data, totalCount, pages } = await visit.client.call('/service/clients/orders/getAll', query)
  return { orders: data.map(shownOrder), total: totalCount, pages }
}

/** Returns a link to the PDF of a document; only of an order of the client. */
export const document = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const { uuid, document, number } = visit.fields
  const { data } = await visit.client.call('/service/orders/getDocument', { uuid, document, number, format: 'pdf' })
  return { url: data.url }
}

export const ownOrder = async (visit: Visit) => {
  mustBeSignedIn(visit)
  const { data } = await visit.client.call('/service/clients/orders/get', { uuid: visit.fields.uuid })
  return { order: shownOrder(data) }
}
