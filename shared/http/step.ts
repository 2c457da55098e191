import type { MiddlewareObj, Request as MiddyRequest } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { SignedInClient } from '../clients/sessions.ts'
import type { SignedIn } from '../merchants/sessions.ts'

/** A response as API Gateway takes it from a function. */
export type Reply = APIGatewayProxyStructuredResultV2

/** What the steps know of a request: its id, when it began (in milliseconds), its response's headers, who signed in for whom. */
type State = {
  requestId: string
  started: number
  headers: Record<string, string>
  session?: SignedIn
  client?: SignedInClient | undefined
}

/** API Gateway's event with what the steps add to it; `fields` is the validated request. */
export type ServedEvent = APIGatewayProxyEventV2 & { state: State; fields: unknown }

/** One step of the chain in serve.ts. */
export type Step = MiddlewareObj<ServedEvent, unknown, Error, Context>

/** What middy hands to a step. */
export type Served = MiddyRequest<ServedEvent, unknown, Error, Context>
