import { X509Certificate } from 'node:crypto'
import { readThrough } from '../../platform/cache.ts'
import { cappedBody, TooLarge } from './wire.ts'

/** The origin of trusted certificates, and the common names they may be issued to. */
export type CertificateSource = { origin: string; commonNames: readonly string[] }

/** The signing certificate comes first. */
type Chain = readonly X509Certificate[]

/** The certificates cannot be fetched now; a retry may succeed. */
export class CertificateUnavailable extends Error {}

/** There is no trusted certificate at the address. The message gives the reason, without received data. */
export class CertificateRefused extends Error {}

const folder = '/v1/notifications/certs/'
const limitMs = 5000
const minModulus = 2048

// PayPal signs live events with the one certificate and those of its sandbox with the other.
const names = ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com']
const origins: Readonly<Record<string, string>> = {
  'https://api-m.paypal.com': 'https://api.paypal.com',
  'https://api-m.sandbox.paypal.com': 'https://api.sandbox.paypal.com',
}

/** The certificates that sign the events of an API. On loopback, which only the twin allows, they are at the API's origin. */
export const paypalCertificates = (baseUrl: string): CertificateSource => {
  const { origin } = new URL(baseUrl)
  const known = origins[origin]
  return known ? { origin: known, commonNames: names } : { origin, commonNames: ['localhost'] }
}

/** Compares the text itself, so that no parser's view of user parts, ports, dots or escapes matters. */
export const isCertificateUrl = (text: string, { origin }: CertificateSource): boolean =>
  text.startsWith(`${origin}${folder}`) && /^[A-Za-z0-9_-]{1,128}$/.test(text.slice(origin.length + folder.length))

const fetchText = async (url: string): Promise<string> => {
  try {
    // A redirect could lead anywhere.
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) })
    if (response.status === 200) return (await cappedBody(response)).toString('latin1')
    await response.body?.cancel()
    if (response.status === 429 || response.status >= 500) throw new CertificateUnavailable(`status ${response.status}`)
    throw new CertificateRefused(`status ${response.status}`)
  } catch (error) {
    if (error instanceof TooLarge) throw new CertificateRefused('it is too large')
    if (error instanceof CertificateRefused || error instanceof CertificateUnavailable) throw error
    throw new CertificateUnavailable((error as Error).name)
  }
}

const parsed = (pem: string): X509Certificate => {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new CertificateRefused('it cannot be read')
  }
}

const fetchChain = async (url: string): Promise<Chain> => {
  const text = await fetchText(url)
  const chain = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)?.map(parsed) ?? []
  if (chain.length === 0) throw new CertificateRefused('there is none')
  return chain
}

const isIssued = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const isIn = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  validFromDate.getTime() <= now && now <= validToDate.getTime()

const isStrongRsa = ({ publicKey }: X509Certificate): boolean =>
  // Stryker disable next-line OptionalChaining: Every certificate's key has details; the types do not say so.
  publicKey.asymmetricKeyType === 'rsa' && (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= minModulus

const checkChain = (chain: Chain, { commonNames }: CertificateSource, now: number): void => {
  const [signing] = chain
  // Several common names come as an array, which equals none.
  const name = signing?.toLegacyObject().subject.CN as unknown
  if (!commonNames.some(one => one === name)) throw new CertificateRefused('it is issued to another name')
  if (!chain.every(one => isIn(one, now))) throw new CertificateRefused('it has expired, or is not valid yet')
  if (!signing || !isStrongRsa(signing)) throw new CertificateRefused('its key is no RSA key of 2048 bits or more')
  const broken = chain.slice(1).some((issuer, n) => !isIssued(chain[n] as X509Certificate, issuer))
  if (broken) throw new CertificateRefused('it is not issued by the one that follows it')
}

const chains = readThrough<string, Chain>({ max: 20, trustedFor: 3_600_000 })

/**
 * The certificate at an address that isCertificateUrl allows, cached for an hour. Checked at every use: dates, common name,
 * key, and the signatures of the chain in the file. Not checked: that the chain ends at a public root (PayPal's file need
 * not contain the chain, and Node builds no paths), and revocation. The certificate is trusted because it comes from a
 * fixed host over verified TLS. Throws CertificateUnavailable or CertificateRefused.
 */
export const certificateAt = async (url: string, source: CertificateSource): Promise<X509Certificate> => {
  const chain = await chains(url, () => fetchChain(url))
  checkChain(chain, source, Date.now())
  return chain[0] as X509Certificate
}
