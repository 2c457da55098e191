import type { Page, PageRequest } from './gateway.ts'

const hasNoBody = (method: string): boolean => method === 'GET' || method === 'HEAD'

// A caller's Host header may be no valid host; only the path matters.
const requestOf = ({ method, path, query, headers, body }: PageRequest): Request =>
  new Request(`http://localhost${path}${query && `?${query}`}`, {
    method,
    headers: Object.entries(headers),
    ...(!hasNoBody(method) && { body }),
  })

/**
 * A page made by a handler of the web's own Request and Response, such as a shop, which also gets the
 * caller's address; `takes` says which requests are its.
 */
export const webPage = (
  handle: (request: Request, address: string) => Promise<Response>,
  takes: (method: string, path: string) => boolean,
): Page => ({
  prefix: '/',
  takes,
  serve: async request => {
    // The web's Request knows no such method.
    if (request.method === 'TRACE') return { statusCode: 405, headers: { allow: 'GET, HEAD, POST' } }
    const response = await handle(requestOf(request), request.address)
    const headers = new Map(response.headers)
    headers.delete('set-cookie')
    return {
      statusCode: response.status,
      headers: Object.fromEntries(headers),
      cookies: response.headers.getSetCookie(),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      isBase64Encoded: true,
    }
  },
})
