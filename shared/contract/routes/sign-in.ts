import * as v from 'valibot'
import { type Route, route } from '../route.ts'
import { described, filled, Id, Timestamp } from '../schema/wire.ts'

/** The permissions for checking a session and counting its merchant's requests. */
export const sessionCheck = { session: ['batchGet'], credential: ['batchGet'], rate: ['get', 'update'] } as const

/** The permissions for checking the token of a client as well. */
export const clientCheck = {
  clientSession: ['batchGet'],
  clientAccess: ['batchGet'],
  client: ['batchGet'],
} as const

/** The permissions for reading the merchant's language, for refusals that buyers read. */
export const languageCheck = { merchant: ['get'] } as const

/** All permissions of a route's function: those it declares and those of its checks. */
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
  // A repeat opens one more session, whose token is lost.
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
  summary: 'Returns the merchant of the session and the time when it ends.',
})

export const logout = route({
  path: '/service/logout',
  level: 'service',
  envelope: 'bare',
  permissions: { session: ['delete'] },
  body: v.object({}),
  response: v.object({ customers_id: described(Id, 'Id of the merchant.'), expires }),
  summary: 'Ends the session of the given token, within a minute.',
})
