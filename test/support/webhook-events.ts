import { randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import { listenOnLoopback } from '../../lib/twin/loopback.ts'
import type { Signer } from '../../lib/twin/sandbox/certificate.ts'

/** The key and the claims of a delivery; `written` replaces its formatted time. */
export type Signing = {
  signer: Signer
  webhookId: string
  certificateUrl: string
  time?: number
  written?: string
  id?: string
}

/** A time as PayPal writes it. */
export const rfc3339 = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`

/** The headers that PayPal sends with a body. */
export const signedHeaders = (body: string, signing: Signing): Record<string, string> => {
  const { signer, webhookId, certificateUrl, time = Date.now(), id = randomUUID() } = signing
  const { written = rfc3339(time) } = signing
  const message = `${id}|${written}|${webhookId}|${crc32(body)}`
  return {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'paypal-cert-url': certificateUrl,
    'paypal-transmission-id': id,
    'paypal-transmission-time': written,
    'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(message), signer.privateKey).toString('base64'),
  }
}

/** Serves certificates below the path of PayPal's. */
export type CertificateServer = {
  origin: string
  /** The paths asked for so far. */
  asked: string[]
  /** Puts something at a name; returns its address. */
  serve(name: string, give: string | ((response: ServerResponse) => void)): string
  close(): Promise<void>
}

const handOver = (incoming: IncomingMessage, response: ServerResponse, to: string): void => {
  const { method, url = '', headers } = incoming
  const onward = request(new URL(url, to), { method, headers }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(onward.on('error', () => response.destroy()))
}

/** Starts a server of certificates on loopback; what is asked for elsewhere is handed over to another server. */
export const startCertificates = async (elsewhere?: string): Promise<CertificateServer> => {
  const folder = '/v1/notifications/certs/'
  const given = new Map<string, (response: ServerResponse) => void>()
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    const { url = '' } = incoming
    if (elsewhere && !url.startsWith(folder)) return handOver(incoming, response, elsewhere)
    asked.push(url)
    const give = given.get(url)
    if (give) give(response)
    else response.writeHead(404).end()
  })
  const { url: origin, close } = await listenOnLoopback(server)
  return {
    origin,
    asked,
    serve: (name, give) => {
      given.set(`${folder}${name}`, typeof give === 'string' ? response => response.end(give) : give)
      return `${origin}${folder}${name}`
    },
    close,
  }
}
