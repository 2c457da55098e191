import type { IncomingMessage } from 'node:http'

/** A request as it arrived at the gateway, and the route that takes it. */
export type Arrived = {
  requestId: string
  domainName: string
  incoming: IncomingMessage
  path: string
  body: Buffer
  routeKey: string
  pathParameters: Record<string, string>
}

const textTypes = /^(text\/|application\/(json|javascript|xml)|[^;]*\+(json|xml))/i

// HTTP APIs join repeated headers with commas and hand cookies over apart.
const headersOf = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => name !== 'cookie')
      .map(([name, values = []]) => [name, values.join(',')]),
  )

const queryOf = (query: string): Record<string, string> | undefined => {
  if (query === '') return undefined
  const groups = Map.groupBy(new URLSearchParams(query), ([name]) => name)
  return Object.fromEntries([...groups].map(([name, pairs]) => [name, pairs.map(([, value]) => value).join(',')]))
}

export const eventOf = ({ requestId, domainName, incoming, path, body, routeKey, pathParameters }: Arrived): object => {
  const [, rawQueryString = ''] = (incoming.url ?? '/').split(/\?(.*)/s)
  const headers = headersOf(incoming)
  const isText = textTypes.test(headers['content-type'] ?? '')
  const now = new Date()
  const query = queryOf(rawQueryString)
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    headers,
    ...(incoming.headers.cookie && { cookies: incoming.headers.cookie.split('; ') }),
    ...(query && { queryStringParameters: query }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'twin',
      domainName,
      domainPrefix: 'twin',
      http: {
        method: incoming.method,
        path,
        protocol: `HTTP/${incoming.httpVersion}`,
        sourceIp: incoming.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}
