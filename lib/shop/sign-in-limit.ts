import { LRUCache } from 'lru-cache'
import { networkOf } from '../../shared/http/request.ts'
import { isError } from '../client/index.ts'
import { Refusal } from './errors.ts'

const windowMs = 15 * 60 * 1000
const maxFailures = 20
const maxAddresses = 10_000

/** Runs a sign-in from an address. Throws a Refusal instead while that address has failed too often. */
export type SignInLimit = <T>(address: string, signIn: () => Promise<T>) => Promise<T>

/**
 * Counts, in memory, the failed sign-ins of each address (IPv6: network): 20 in 15 minutes, pending attempts included.
 */
export const newSignInLimit = (): SignInLimit => {
  const addresses = new LRUCache<string, { failed: number }>({ max: maxAddresses, ttl: windowMs })
  return async (address, signIn) => {
    const network = networkOf(address)
    const tries = addresses.get(network) ?? { failed: 0 }
    if (tries.failed >= maxFailures) throw new Refusal(429, 'client_login_throttled')
    if (!addresses.has(network)) addresses.set(network, tries)
    tries.failed++
    try {
      const result = await signIn()
      tries.failed--
      return result
    } catch (error) {
      if (!isError(error, 'login_failed', 'client_login_throttled')) tries.failed--
      throw error
    }
  }
}
