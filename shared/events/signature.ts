import { createHash, createHmac } from 'node:crypto'

/** A POST to an AWS service that speaks JSON, of which all is signed. */
export type JsonRequest = { service: string; region: string; host: string; target: string; body: string; now: number }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (secret: string | Buffer, text: string): Buffer => createHmac('sha256', secret).update(text).digest()

/**
 * The headers of a request with its Signature Version 4, as the function's role that stands in the environment. A client of
 * the SDK would be a package more for the one call of one job.
 */
export const signedHeaders = ({ service, region, host, target, body, now }: JsonRequest): Record<string, string> => {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN: token } = process.env
  const moment = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = moment.slice(0, 8)
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    host,
    'x-amz-date': moment,
    ...(token && { 'x-amz-security-token': token }),
    'x-amz-target': target,
  }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const request = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n')
  const scope = [day, region, service, 'aws4_request']
  const text = ['AWS4-HMAC-SHA256', moment, scope.join('/'), sha256(request)].join('\n')
  const signing = scope.reduce<string | Buffer>(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`)
  const signature = hmac(signing, text).toString('hex')
  const credential = `${AWS_ACCESS_KEY_ID}/${scope.join('/')}`
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  // What sends the request writes this one itself.
  const { host: _, ...sent } = headers
  return { ...sent, authorization }
}
