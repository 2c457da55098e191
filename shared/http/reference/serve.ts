import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { type Kept, kept, keptReply } from '../../platform/cache.ts'
import { openApiDocument } from './document.ts'

const seconds = 300

// One a base URL, of which a deployment has one or two; the first request of an instance makes it.
const documents = new Map<string, Kept>()

const documentAt = (baseUrl: string): Kept => {
  const known = documents.get(baseUrl)
  if (known) return known
  const made = kept(JSON.stringify(openApiDocument({ baseUrl })), 'application/json; charset=utf-8', seconds)
  documents.set(baseUrl, made)
  return made
}

/** The OpenAPI document as it is served; 304 when the caller has it by its ETag. */
export const openApiReply = (baseUrl: string, ifNoneMatch: string | undefined): Reply =>
  keptReply(documentAt(baseUrl), ifNoneMatch)
