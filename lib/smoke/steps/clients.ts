import { randomBytes } from 'node:crypto'
import { same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

// A domain without mailboxes (RFC 2606).
const mailOf = ({ mark }: Walk): string => `${mark.replace(' ', '-')}@smoke.invalid`

/** The buyer's data; the name is the walk's. */
export const person = {
  gender: 'f',
  first_name: 'Ada',
  address: 'Am Hang 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'de',
} as const

const newPassword = (): string => randomBytes(16).toString('hex')

const byClient = (walk: Walk) => ({ clientToken: walk.need('clientToken') })

/** Registers a client, resets its password, and changes its data. */
export const clientSteps: readonly Step[] = [
  step('/service/clients/register', 'registers a client', async walk => {
    walk.writes('client')
    const [mail, password] = [mailOf(walk), newPassword()]
    const data = { ...person, last_name: walk.mark, mail, password }
    const { data: registered } = await walk.ask('/service/clients/register', { data })
    same(registered.mail, mail, 'data.mail')
    walk.things.client = { id: registered.id, mail, password }
    walk.things.passwordHash = registered.lostpassword_hash
  }),
  step('/service/clients/activate', 'activates the account', async walk => {
    const { id, mail } = walk.need('client')
    same((await walk.ask('/service/clients/activate', { hash: walk.need('passwordHash') })).data, { id, mail })
  }),
  step('/service/clients/exists', 'finds the client by its mail', async walk => {
    const { id, mail } = walk.need('client')
    same((await walk.ask('/service/clients/exists', { mail })).data, id)
    same((await walk.ask('/service/clients/exists', { mail: mail.toUpperCase() })).data, id)
    same((await walk.ask('/service/clients/exists', { mail: `no-${mail}` })).data, false)
  }),
  step('/service/clients/getPasswordHash', 'requests a hash for a new password', async walk => {
    const { data } = await walk.ask('/service/clients/getPasswordHash', { mail: walk.need('client').mail })
    walk.things.passwordHash = data.hash
  }),
  step('/service/clients/validatePasswordHash', 'checks the hash', async walk => {
    const { id, mail } = walk.need('client')
    const { data } = await walk.ask('/service/clients/validatePasswordHash', { hash: walk.need('passwordHash') })
    same(data, { id, mail })
  }),
  step('/service/clients/resetPassword', 'sets a new password; a hash is valid once', async walk => {
    const { id, mail } = walk.need('client')
    const body = { hash: walk.need('passwordHash'), password: newPassword() }
    same((await walk.ask('/service/clients/resetPassword', body)).data, { id, mail })
    walk.things.client = { id, mail, password: body.password }
    await walk.refused('/service/clients/resetPassword', body, 'hash_invalid')
  }),
  step('/service/clients/login', 'signs the client in', async walk => {
    const { id, mail, password } = walk.need('client')
    await walk.refused('/service/clients/login', { mail, password: newPassword() }, 'login_failed')
    const { data } = await walk.ask('/service/clients/login', { mail, password })
    same(data, { id, mail })
    walk.things.clientToken = data.token
  }),
  step('/service/clients/get', 'reads the client', async walk => {
    const { data } = await walk.ask('/service/clients/get', {}, byClient(walk))
    same(data, { ...person, last_name: walk.mark, id: walk.need('client').id })
    await walk.refused('/service/clients/get', {}, 'client_token_missing')
  }),
  step('/service/clients/edit', 'changes the client', async walk => {
    const change = { city: 'Pirna' }
    const { data } = await walk.ask('/service/clients/edit', { data: change }, byClient(walk))
    same(data, { ...change, zip: person.zip })
    same((await walk.ask('/service/clients/get', {}, byClient(walk))).data, data)
  }),
  step('/service/clients/logout', 'ends one of the client’s sessions', async walk => {
    const { mail, password } = walk.need('client')
    const { data } = await walk.ask('/service/clients/login', { mail, password, caller: walk.mark })
    const second = { clientToken: data.token }
    same((await walk.ask('/service/clients/logout', {}, second)).data, { id: data.id })
    await walk.refused('/service/clients/logout', {}, 'client_token_invalid', second)
    await walk.ask('/service/clients/get', {}, byClient(walk))
  }),
]
