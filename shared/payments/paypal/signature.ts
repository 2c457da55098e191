import { verify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Problem } from '../../contract/errors.ts'
import { log } from '../../platform/log.ts'
import type { Delivery } from '../provider.ts'
import {
  CertificateRefused,
  type CertificateSource,
  CertificateUnavailable,
  certificateAt,
  isCertificateUrl,
} from './certificates.ts'

/** The webhook whose events are accepted, and the certificates that sign them. */
export type WebhookTrust = { webhookId: string; certificates: CertificateSource }

type Transmission = { id: string; time: string; signature: Buffer; certificateUrl: string }

// PayPal repeats a failed delivery for three days, with the id, time and signature of the first try.
const maxAge = 4 * 24 * 3_600_000
const clockSkew = 5 * 60_000

const refuse = (because: string): Problem => new Problem('webhook_signature_invalid', { because })

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

const isTimely = (time: string, now: number): boolean => {
  // NaN, for an invalid date, fails both comparisons.
  const age = rfc3339.test(time) ? now - Date.parse(time) : Number.NaN
  return age <= maxAge && age >= -clockSkew
}

const transmissionIn = ({ headers }: Delivery, { certificates }: WebhookTrust): Transmission => {
  // Stryker disable next-line StringLiteral: Neither the empty text nor that one is let through by any of the
  // expressions.
  const header = (name: string): string => headers[`paypal-${name}`] ?? ''
  const [id, time, certificateUrl] = [header('transmission-id'), header('transmission-time'), header('cert-url')]
  if (header('auth-algo') !== 'SHA256withRSA') throw refuse('the algorithm is not SHA256withRSA')
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) throw refuse('the transmission has no id')
  if (!isTimely(time, Date.now())) throw refuse('the transmission is too old, or has no time')
  if (!/^[A-Za-z0-9+/]{64,1024}={0,2}$/.test(header('transmission-sig'))) throw refuse('there is no signature')
  if (!isCertificateUrl(certificateUrl, certificates)) throw refuse('the certificate is not where it must be')
  return { id, time, certificateUrl, signature: Buffer.from(header('transmission-sig'), 'base64') }
}

const certificateOf = async ({ certificateUrl }: Transmission, { certificates }: WebhookTrust) => {
  try {
    return await certificateAt(certificateUrl, certificates)
  } catch (error) {
    if (error instanceof CertificateRefused) throw refuse(`the certificate: ${error.message}`)
    // Stryker disable next-line ConditionalExpression: Nothing else is thrown there; the types allow it.
    if (!(error instanceof CertificateUnavailable)) throw error
    log.error('certificate of a webhook event unavailable', { why: error.message })
    throw new Problem('temporarily_unavailable', { because: 'no certificate', headers: { 'retry-after': '60' } })
  }
}

/**
 * Verifies PayPal's signature as documented: SHA256withRSA over the transmission's id and time, the webhook's id and the
 * CRC32 of the body as a decimal number. A transmission is valid for four days. Throws webhook_signature_invalid, also
 * for an account without a webhook, or temporarily_unavailable if the certificate cannot be fetched now.
 */
export const verifySignature = async (delivery: Delivery, trust: WebhookTrust | null): Promise<void> => {
  if (!trust) throw refuse('the account has no webhook id')
  const transmission = transmissionIn(delivery, trust)
  const { publicKey } = await certificateOf(transmission, trust)
  const { id, time, signature } = transmission
  const signed = `${id}|${time}|${trust.webhookId}|${crc32(delivery.body)}`
  if (!verify('RSA-SHA256', Buffer.from(signed), publicKey, signature)) throw refuse('the signature does not fit')
}
