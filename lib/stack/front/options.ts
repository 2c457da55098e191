import type { Domain } from '../domain.ts'

/** The region of CloudFront's web ACLs and certificates. */
export const frontRegion = 'us-east-1'

/**
 * The edge in front of the API: its limit of requests from one address in five minutes, the number of its key (another
 * number makes another key), and the region of the service.
 */
export type Front = { rate: number; key: number; region: string }

type Texts = { front?: string | undefined; frontRate?: string | undefined; frontKey?: string | undefined }

/** The domain or base URL that leads to the edge, and the region of the deployment. */
type Around = { domain: Domain | undefined; baseUrl: string | undefined; region: string | undefined }

/**
 * Shops are servers: all their buyers' requests come from one address, and a host may have several shops. A merchant may
 * send 200 requests a second (shared/merchants/quotas), which are 60,000 in five minutes; this allows three such merchants.
 * Only floods are blocked here; below, our own quotas refuse requests with an explanation.
 */
const usualRate = 200_000

const wholeOf = (name: string, text: string, least: number, most: number): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw new Error(`${name} must be a whole number from ${least} to ${most}: ${text}`)
}

const checkName = ({ domain, baseUrl }: Around): void => {
  if (!domain && !baseUrl)
    throw new Error('front=on needs the name that leads to it: say -c domain=NAME or -c baseUrl=https://NAME')
  if (domain?.certificate && !domain.certificate.includes(`:acm:${frontRegion}:`))
    throw new Error(`the certificate of a front must be one in ${frontRegion}: ${domain.certificate}`)
}

/** Parses the settings of the edge; undefined for none. Throws for invalid settings. */
export const frontOf = ({ front = 'off', frontRate, frontKey }: Texts, around: Around): Front | undefined => {
  if (front !== 'on' && front !== 'off') throw new Error(`front must be on or off: ${front}`)
  if (front === 'off') {
    if (frontRate ?? frontKey) throw new Error('frontRate and frontKey are for a front: say -c front=on')
    return undefined
  }
  checkName(around)
  // The CDK command sets it from AWS_REGION or the profile of its credentials.
  const { region } = around
  if (!region)
    throw new Error('front=on needs to know the region of the service: set AWS_REGION (or CDK_DEFAULT_REGION)')
  return {
    // The limits of AWS WAF.
    rate: frontRate === undefined ? usualRate : wholeOf('frontRate', frontRate, 10, 2_000_000_000),
    key: frontKey === undefined ? 1 : wholeOf('frontKey', frontKey, 1, 9999),
    region,
  }
}
