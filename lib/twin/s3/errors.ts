import { escapeMarkup } from '../../../shared/values/markup.ts'

/** An authenticated call as IAM sees it. s3:ListBucket is asked for on the bucket; `key` is its prefix then. */
export type S3Call = { principal: string; action: string; bucket: string; key: string; signatureAgeMs: number }

const statuses = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  IncorrectNumberOfFilesInPostRequest: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MalformedTrailerError: 400,
  MaxPostPreDataLengthExceeded: 400,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

export type S3ErrorCode = keyof typeof statuses

/** A refusal as S3 words it: its code decides the HTTP status, `details` become extra elements of the error document. */
export class S3Error extends Error {
  readonly code: S3ErrorCode
  readonly status: number
  readonly details: Record<string, string>

  constructor(code: S3ErrorCode, message: string, details: Record<string, string> = {}) {
    super(message)
    this.name = code
    this.code = code
    this.status = statuses[code]
    this.details = details
  }
}

/** The ARN of what an action on a key is asked for. */
export const resourceOf = ({ action, bucket, key }: Pick<S3Call, 'action' | 'bucket' | 'key'>): string =>
  `arn:aws:s3:::${bucket}${action === 's3:ListBucket' ? '' : `/${key}`}`

/** The refusal of a call no policy allows, naming the action and the resource as S3 does. */
export const accessDenied = (call: S3Call): S3Error =>
  new S3Error(
    'AccessDenied',
    `User: ${call.principal} is not authorized to perform: ${call.action} on resource: "${resourceOf(call)}" ` +
      `because no policy allows the ${call.action} action`,
  )

/** The refusal of what the service never asks of S3; it names the header or the parameter, if any. */
export const notImplemented = (name = ''): S3Error =>
  new S3Error('NotImplemented', 'The twin does not implement this operation', name ? { Name: name } : {})

const inXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys may hold them, and S3 sends them as references
  escapeMarkup(text).replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, char => `&#x${char.charCodeAt(0).toString(16)};`)

/** The XML document S3 sends for a refusal. */
export const errorDocument = (error: S3Error, resource: string, requestId: string): string => {
  const elements = { Code: error.code, Message: error.message, ...error.details }
  const body = Object.entries({ ...elements, Resource: resource, RequestId: requestId })
    .map(([name, text]) => `<${name}>${inXml(text)}</${name}>`)
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${body}</Error>`
}
