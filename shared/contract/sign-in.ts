import * as v from 'valibot'
import { route } from './route.ts'
import { filled, Id, Timestamp } from './wire.ts'

/** What each service function touches to check a session. */
export const sessionCheck = { session: ['batchGet'], credential: ['batchGet'] } as const

export const login = route({
  path: '/service/login',
  level: 'open',
  form: 'bare',
  touches: { credential: ['get'], session: ['put'], failures: ['put', 'update'] },
  body: v.object({ token: filled(), authid: filled() }),
  answer: v.object({ token: v.string(), refreshToken: v.literal(''), expires: Timestamp }),
  fails: ['credentials_invalid', 'login_throttled'],
  says: 'Opens a session of 12 hours for an AuthID and an API token.',
})

export const checkLogin = route({
  path: '/service/check/login',
  level: 'service',
  form: 'bare',
  body: v.object({}),
  answer: v.object({ customers_id: Id, expires: Timestamp }),
  says: 'Tells whose session the presented token is and when it ends.',
})
