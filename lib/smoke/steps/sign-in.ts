import { fallback } from '../../../shared/contract/routes/index.ts'
import { demand, same } from '../compare.ts'
import { type Step, step } from '../walk.ts'

/** Signs in, and checks refused sign-ins and requests. */
export const signInSteps: readonly Step[] = [
  step('/service/login', 'signs in with AuthID and API token', async walk => {
    const { authid, token } = walk.options
    const { token: session } = await walk.ask('/service/login', { authid, token })
    walk.things.session = session
  }),
  step('/service/login', 'is refused with a wrong API token', async walk => {
    const { authid } = walk.options
    await walk.refused('/service/login', { authid, token: 'wka_of_nobody' }, 'credentials_invalid')
  }),
  step('/service/login', 'is refused with the method GET', async walk => {
    const { headers } = await walk.refused('/service/login', {}, 'method_not_allowed', { method: 'GET' })
    same(headers.get('allow'), 'POST', 'the header Allow')
  }),
  step('/service/check/login', 'is refused without a session', async walk => {
    const { headers } = await walk.refused('/service/check/login', {}, 'token_missing', { anonymous: true })
    demand(headers.get('www-authenticate') !== null, 'the header WWW-Authenticate is missing')
  }),
  step('/service/check/login', 'returns the merchant of the session', async walk => {
    const { customers_id } = await walk.ask('/service/check/login', {})
    walk.things.customer = customers_id
  }),
  step(fallback.path, 'is refused: the path is unknown', async walk => {
    await walk.refused(fallback.path, {}, 'route_not_found')
  }),
]

/** Ends the session of the walk. */
export const signOutSteps: readonly Step[] = [
  step('/service/logout', 'ends the session', async walk => {
    const { customers_id } = await walk.ask('/service/logout', {})
    same(customers_id, walk.need('customer'), 'customers_id')
  }),
]
