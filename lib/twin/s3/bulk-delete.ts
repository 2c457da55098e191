import { S3Error } from './errors.ts'
import { accessDenied, type Context, type Operation } from './operation.ts'
import { nest, text, unescapeText, xmlDocument } from './xml.ts'

const MAX_OBJECTS = 1000

/** DeleteObjects: removes up to 1000 keys; a key the policies refuse is reported in the answer, the others go. */
export const deleteObjects: Operation = {
  action: 's3:DeleteObject',
  parameters: ['delete'],
  asksPerKey: true,
  run: async context => {
    const { data, checksums } = await context.payload()
    if (Object.keys(checksums).length === 0 && context.request.headers['content-md5'] === undefined) {
      throw new S3Error('InvalidRequest', 'Missing required header for this request: Content-MD5 OR x-amz-checksum-*')
    }
    const { keys, quiet } = readDeleteDocument(data.toString())
    const results: (string | undefined)[] = []
    for (const key of keys) results.push(await removeKey(context, key, quiet))
    const body = xmlDocument(nest('DeleteResult', ...results))
    return { status: 200, headers: { 'content-type': 'application/xml' }, body }
  },
}

const removeKey = async (context: Context, key: string, quiet: boolean): Promise<string | undefined> => {
  const { signature, bucket } = context.request
  if (!context.may('s3:DeleteObject', key)) {
    const { code, message } = accessDenied(signature.principal, 's3:DeleteObject', bucket, key)
    return nest('Error', text('Key', key), text('Code', code), text('Message', message))
  }
  await context.store.remove(bucket, key, () => {})
  return quiet ? undefined : nest('Deleted', text('Key', key))
}

const readDeleteDocument = (document: string): { keys: string[]; quiet: boolean } => {
  const root = /^\s*(?:<\?xml[^>]*\?>)?\s*<Delete(?:\s[^>]*)?>(.*)<\/Delete>\s*$/s.exec(document)?.[1]
  if (root === undefined) throw malformed()
  const objects = [...root.matchAll(/<Object>(.*?)<\/Object>/gs)].map(match => match[1] ?? '')
  const rest = root.replace(/<Object>.*?<\/Object>/gs, '').trim()
  if (!/^(<Quiet>\s*(true|false)\s*<\/Quiet>)?$/.test(rest)) throw malformed()
  if (objects.length === 0 || objects.length > MAX_OBJECTS) throw malformed()
  return { keys: objects.map(readKey), quiet: rest.includes('true') }
}

const readKey = (object: string): string => {
  const key = /^\s*<Key>([^<]+)<\/Key>\s*$/.exec(object)?.[1]
  if (key !== undefined) return unescapeKey(key)
  if (/<(VersionId|ETag|LastModifiedTime|Size)>/.test(object)) {
    throw new S3Error('NotImplemented', 'The stand-in deletes by key only')
  }
  throw malformed()
}

const unescapeKey = (content: string): string => {
  try {
    return unescapeText(content)
  } catch {
    throw malformed()
  }
}

const malformed = (): S3Error =>
  new S3Error(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
  )
