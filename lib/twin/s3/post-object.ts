import type { IncomingMessage } from 'node:http'
import { verifyText } from '../iam/signature.ts'
import { notImplemented, S3Error } from './errors.ts'
import { type Form, readForm } from './form.ts'
import type { Payload } from './payload.ts'
import { checkPolicy } from './post-policy.ts'
import { headersOf, placeOf, type S3Request, signatureRefusal } from './request.ts'

/** True for a form that is sent to a bucket: unlike other requests, it has its signature in its fields. */
export const isForm = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' && headers.authorization === undefined

/** The method of a form's S3Request; a POST is another operation. */
export const formMethod = 'FORM'

const fieldOf = ({ fields }: Form, name: string): string => {
  const value = fields.get(name)
  if (value) return value
  const message = `Bucket POST must contain a field named '${name}'. If it is specified, please check the order of the fields.`
  throw new S3Error('InvalidArgument', message, { ArgumentName: name })
}

// The fields that a policy may allow, and that mean something to the twin, or nothing to S3.
const known =
  /^(key|content-type|policy|x-amz-(algorithm|credential|date|signature|security-token|meta-.+)|x-ignore-.+)$/

const refuseUnknown = (form: Form): void => {
  const unknown = [...form.fields.keys()].find(name => !known.test(name))
  if (unknown) throw notImplemented(unknown)
}

const refuseVariants = (form: Form): void => {
  if (fieldOf(form, 'x-amz-algorithm') !== 'AWS4-HMAC-SHA256') throw notImplemented('x-amz-algorithm')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: S3 replaces this by the name of the file
  if (fieldOf(form, 'key').includes('${filename}')) throw notImplemented('key')
}

/**
 * Reads the form that a request sends to a bucket: the request and payload of a PutObject that its signed policy
 * allows. Rejects with S3Error.
 */
export const readPosted = async (
  incoming: IncomingMessage,
  secretOf: (accessKeyId: string) => string | undefined,
  now: number,
): Promise<{ request: S3Request; payload: Payload }> => {
  const { bucket, key: object } = placeOf(incoming.url ?? '')
  if (object !== '' || incoming.url?.includes('?')) throw notImplemented('POST')
  const form = await readForm(incoming, headersOf(incoming))
  if (!form.fields.has('policy')) throw new S3Error('AccessDenied', 'Access Denied')
  refuseVariants(form)
  const text = fieldOf(form, 'policy')
  const [credential, date] = [fieldOf(form, 'x-amz-credential'), fieldOf(form, 'x-amz-date')]
  const signed = { text, credential, date, signature: fieldOf(form, 'x-amz-signature') }
  const signature = await verifyText(signed, { service: 's3', secretOf, now }).catch(error => {
    throw signatureRefusal(error, false)
  })
  checkPolicy(text, new Map([...form.fields, ['bucket', bucket]]), form.file.length, now)
  refuseUnknown(form)
  const place = placeOf(`/${bucket}/${encodeURIComponent(fieldOf(form, 'key'))}`)
  const headers = Object.fromEntries([...form.fields].filter(([name]) => /^(content-type|x-amz-meta-)/.test(name)))
  return {
    request: { method: formMethod, ...place, query: new Map(), headers, signature },
    payload: { data: form.file, checksums: {} },
  }
}
