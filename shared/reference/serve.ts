import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { type CacheableText, cacheableReply, cacheableText } from '../platform/cache.ts'
import { openApiDocument } from './document.ts'

// `max-age`, in seconds.
const maxAge = 300

// By base URL, of which a deployment has one or two.
const documents = new Map<string, CacheableText>()

const documentAt = (baseUrl: string): CacheableText => {
  const cached = documents.get(baseUrl)
  if (cached) return cached
  const document = cacheableText(
    JSON.stringify(openApiDocument({ baseUrl })),
    'application/json; charset=utf-8',
    maxAge,
  )
  documents.set(baseUrl, document)
  return document
}

/** Returns the OpenAPI document, or 304 if If-None-Match has its ETag. */
export const openApiReply = (baseUrl: string, ifNoneMatch: string | undefined): Reply =>
  cacheableReply(documentAt(baseUrl), ifNoneMatch)
