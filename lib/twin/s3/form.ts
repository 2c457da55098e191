import type { IncomingMessage } from 'node:http'
import { S3Error } from './errors.ts'
import { readAnnounced } from './payload.ts'
import type { Headers } from './request.ts'

/** A form that was sent to a bucket: its fields by their names in lower case, and the bytes of its file. */
export type Form = { fields: ReadonlyMap<string, string>; file: Buffer }

// S3's limit of all fields before the file.
const maxFieldBytes = 20 * 1024

const invalid = (message: string, name: string): S3Error =>
  new S3Error('InvalidArgument', message, { ArgumentName: name })

const partsOf = async (body: Buffer, type: string): Promise<[name: string, value: string | File][]> => {
  try {
    return [...(await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData())]
  } catch {
    throw new S3Error('MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.')
  }
}

const bytesOf = async (value: string | File): Promise<Buffer> =>
  typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer())

/** Reads a form. What comes after its file is ignored, as S3 does; a second file is refused. Rejects with S3Error. */
export const readForm = async (incoming: IncomingMessage, headers: Headers): Promise<Form> => {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
      Condition: 'Bucket POST must be of the enclosure-type multipart/form-data',
    })
  const parts = await partsOf(await readAnnounced(incoming, headers), type)
  const files = parts.filter(([name]) => name.toLowerCase() === 'file')
  const [first, ...others] = files
  if (!first || others.length > 0)
    throw new S3Error('IncorrectNumberOfFilesInPostRequest', 'POST requires exactly one file upload per request.')
  const fields = new Map<string, string>()
  let bytes = 0
  for (const [name, value] of parts.slice(0, parts.indexOf(first))) {
    const text = (await bytesOf(value)).toString()
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text)
    if (bytes > maxFieldBytes)
      throw new S3Error(
        'MaxPostPreDataLengthExceeded',
        'Your POST request fields preceding the upload file were too large.',
      )
    if (fields.has(name.toLowerCase())) throw invalid('A field of the form is there twice.', name)
    fields.set(name.toLowerCase(), text)
  }
  return { fields, file: await bytesOf(first[1]) }
}
