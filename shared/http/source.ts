import { isIP } from 'node:net'
import { digestOf, sameDigest } from '../merchants/tokens.ts'
import type { ServedEvent } from './step.ts'

/** The header by which a front (CloudFront) shows that a request came through it, and the one with its caller's address. */
export const frontHeader = 'x-weinkontor-front'
export const viewerHeader = 'cloudfront-viewer-address'

// Digests are of one length, so that the time of comparing them tells nothing of the key.
const isFromFront = (given = ''): boolean => {
  const key = process.env.FRONT_KEY
  return key ? sameDigest(digestOf(given), digestOf(key)) : false
}

// An IPv4 address in IPv6 notation, and an address with a zone, are of no network that could be told from its text.
const isPlain = (address: string): boolean => isIP(address) !== 0 && !/:.*[.%]/.test(address)

/**
 * The first 64 bits of an IPv6 address, any other address itself. Who has one IPv6 address has all that begin so, and could
 * call from another one each time.
 */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6 || !isPlain(address)) return address
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(Boolean))
  const left = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4)
  return `${left.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The network in `192.0.2.1:443` or `2001:db8::1:443` (so CloudFront writes it, without brackets); undefined for none. */
const networkIn = (viewer: string | undefined): string | undefined => {
  const address = /^(.+):\d{1,5}$/.exec(viewer ?? '')?.[1] ?? ''
  return isPlain(address) ? networkOf(address) : undefined
}

/**
 * From where a request came: the address that the front tells, if it was the front, else the one that the gateway saw.
 * What a caller says of its own address never counts.
 */
export const sourceOf = ({ headers, requestContext }: Pick<ServedEvent, 'headers' | 'requestContext'>): string =>
  (isFromFront(headers[frontHeader]) ? networkIn(headers[viewerHeader]) : undefined) ?? requestContext.http.sourceIp
