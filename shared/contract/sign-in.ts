import * as v from 'valibot'
import { type Route, route } from './route.ts'
import { described, filled, Id, Timestamp } from './wire.ts'

/** What each service function touches to check a session, and to count its merchant's requests. */
export const sessionCheck = { session: ['batchGet'], credential: ['batchGet'], rate: ['get', 'update'] } as const

/** What a function touches to check the token of a client besides. */
export const clientCheck = {
  clientSession: ['batchGet'],
  clientAccess: ['batchGet'],
  client: ['batchGet'],
} as const

/** What a function touches to know its merchant's language, where buyers read what it refuses. */
export const languageCheck = { merchant: ['get'] } as const

/** All that the function of a route may touch: what the route declares, and what its checks take. */
export const permissionsOf = (route: Route): Route['permissions'][] => [
  route.permissions,
  ...(route.level === 'service' ? [sessionCheck] : []),
  ...(route.client === 'refused' ? [] : [clientCheck]),
  ...(route.forBuyers ? [languageCheck] : []),
]

const expires = described(Timestamp, 'End of the session, UTC.')

export const login = route({
  path: '/service/login',
  level: 'open',
  envelope: 'bare',
  permissions: { credential: ['get'], session: ['put'], failures: ['put', 'update'], rate: ['get', 'update'] },
  // One more session, whose token nobody has.
  repeat: 'safe',
  body: v.object({
    token: described(filled(), 'API token of the merchant.'),
    authid: described(filled(), 'AuthID of the merchant.'),
  }),
  response: v.object({
    token: described(v.string(), 'Session token, for `Authorization: Bearer …`.'),
    refreshToken: described(v.literal(''), 'Always empty: a new session needs a new sign-in.'),
    expires,
  }),
  errors: ['credentials_invalid', 'login_throttled'],
  summary: 'Opens a session of 12 hours for an AuthID and an API token.',
})

export const checkLogin = route({
  path: '/service/check/login',
  level: 'service',
  envelope: 'bare',
  body: v.object({}),
  response: v.object({ customers_id: described(Id, 'Id of the merchant.'), expires }),
  summary: 'Tells whose session the presented token is and when it ends.',
})

export const logout = route({
  path: '/service/logout',
  level: 'service',
  envelope: 'bare',
  permissions: { session: ['delete'] },
  body: v.object({}),
  response: v.object({ customers_id: described(Id, 'Id of the merchant.'), expires }),
  summary: 'Ends the session whose token is presented, everywhere within a minute.',
})
