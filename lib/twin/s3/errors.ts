import { nest, text, xmlDocument } from './xml.ts'

const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

/** The S3 error codes the stand-in answers with. */
export type S3ErrorCode = keyof typeof STATUS

/** A refusal as S3 words it: its code decides the HTTP status, `details` become extra elements of the error document. */
export class S3Error extends Error {
  readonly code: S3ErrorCode
  readonly status: number
  readonly details: Record<string, string>

  constructor(code: S3ErrorCode, message: string, details: Record<string, string> = {}) {
    super(message)
    this.name = code
    this.code = code
    this.status = STATUS[code]
    this.details = details
  }
}

/** The error document S3 sends for a refusal. */
export const errorDocument = (error: S3Error, resource: string, requestId: string): string =>
  xmlDocument(
    nest(
      'Error',
      text('Code', error.code),
      text('Message', error.message),
      ...Object.entries(error.details).map(([name, value]) => text(name, value)),
      text('Resource', resource),
      text('RequestId', requestId),
    ),
  )
