import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { localServer } from './local-server.ts'

/** Changes of a route's answers: another text, a 500, or none at all. */
export type Damage = ((text: string) => string) | 'fails' | 'hangs'

const skipped = new Set(['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'])

/** A proxy of the service that damages the answers of some paths. */
export const damagingProxy = async (target: string, damages: Readonly<Record<string, Damage>>): Promise<string> => {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '/', method = 'GET', headers } = request
    const body = method === 'GET' ? {} : { body: await buffer(request) }
    const sent = Object.entries(headers).filter(([name]) => name !== 'host' && !skipped.has(name)) as [string, string][]
    const answer = await fetch(target + url, { method, headers: sent, redirect: 'manual', ...body })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const damage = damages[new URL(url, target).pathname]
    if (damage === 'hangs') return
    for (const [name, value] of answer.headers) if (!skipped.has(name)) response.setHeader(name, value)
    response.statusCode = damage === 'fails' ? 500 : answer.status
    response.end(typeof damage === 'function' ? damage(bytes.toString()) : damage ? '{"message":"no"}' : bytes)
  }
  return localServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
}
