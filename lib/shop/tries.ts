import { LRUCache } from 'lru-cache'
import { networkOf } from '../../shared/http/request.ts'
import { isError } from '../client/index.ts'
import { Refusal } from './refusal.ts'

const window = 15 * 60 * 1000
const mostFailures = 20
const mostAddresses = 10_000

/** Signs in for a visitor at an address. Throws a Refusal, without a try, while too many of that address failed. */
export type Tries = <T>(address: string, signIn: () => Promise<T>) => Promise<T>

/** Counts, in memory, the failed sign-ins of each address (IPv6: network): 20 in 15 minutes, those under way included. */
export const newTries = (): Tries => {
  const addresses = new LRUCache<string, { failed: number }>({ max: mostAddresses, ttl: window })
  return async (address, signIn) => {
    const network = networkOf(address)
    const tries = addresses.get(network) ?? { failed: 0 }
    if (tries.failed >= mostFailures) throw new Refusal(429, 'client_login_throttled')
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
