import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { encodeExtended, format } from 'content-disposition'
import { readWineOfPublicPdf } from '../../catalogue/wines/public-store.ts'
import { Problem } from '../../contract/errors.ts'
import { fileExists, presignedLink, readPart } from '../../platform/files/files.ts'
import type { ExpertiseFile } from '../../platform/table/items.ts'
import { key, merchantIdOf } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { isFresh } from './template.ts'

const linkSeconds = 300
// In base64 a larger file would not fit into a function's response; the object's own link takes over.
const largestBody = 4 * 1024 * 1024

const notFound = (because: string) => new Problem('expertise_not_found', { because })
const unsatisfiable = ({ bytes }: ExpertiseFile) =>
  new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' } })

/**
 * Returns the PDF of a wine that is public or in its shop, under any of its names; draws it if it is missing or outdated.
 * The object's key never comes from the request.
 */
const fileOf = async (wineId: number, name: string, baseUrl: string): Promise<ExpertiseFile> => {
  const wine = await readWineOfPublicPdf(wineId)
  if (!wine) throw notFound('there is no such public wine')
  const { version, expertise } = wine
  const names = expertise?.names ?? [wine.pdf]
  if (!names.includes(name)) throw notFound('the PDF never had this name')
  // The merchant's own file shows no price of ours.
  if (expertise?.supplied) return expertise
  const merchant = merchantIdOf(wine.customers_id)
  if (isFresh(expertise, version, (await getItem(key('merchant', { merchant }))) ?? {})) return expertise
  // Imported here because the drawing modules are most of the bundle, and not needed if the file exists.
  const { ensureFile } = await import('./store.ts')
  const file = await ensureFile(merchant, wineId, baseUrl)
  if (!file) throw notFound('the wine has no PDF')
  return file
}

// The encoded form only: all browsers in use read it, and no name can break out of it.
const disposition = (kind: 'attachment' | 'inline', name: string): string =>
  format({ type: kind, parameters: { 'filename*': encodeExtended(name) } })

const redirect = async ({ key }: ExpertiseFile, name: string, kind: 'attachment' | 'inline'): Promise<Reply> => ({
  statusCode: 302,
  headers: {
    location: await presignedLink(key, linkSeconds, 'application/pdf', disposition(kind, name)),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  },
})

/** Redirects to a presigned link that is valid for five minutes. Throws expertise_not_found. */
export const expertiseLink = async (wineId: number, name: string, baseUrl: string): Promise<Reply> => {
  const file = await fileOf(wineId, name, baseUrl)
  if (!(await fileExists(file.key))) throw notFound('the file is not stored')
  return redirect(file, name, 'attachment')
}

type Wanted = { baseUrl: string; range?: string | undefined; ifNoneMatch?: string | undefined }

/**
 * Returns the bytes of a wine's PDF, or the requested range; redirects to a presigned link if they are too many. Throws
 * expertise_not_found and range_not_satisfiable.
 */
export const expertiseBytes = async (id: string, name: string, wanted: Wanted): Promise<Reply> => {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw notFound('the path has no id')
  const file = await fileOf(Number(id), name, wanted.baseUrl)
  if (file.bytes > largestBody) return redirect(file, name, 'inline')
  const part = await readPart(file.key, wanted)
  if (!part) throw notFound('the file is not stored')
  if (part.status === 416) throw unsatisfiable(file)
  return {
    statusCode: part.status,
    headers: {
      ...part.headers,
      'content-type': 'application/pdf',
      'content-disposition': disposition('inline', name),
      'accept-ranges': 'bytes',
      // The same name may lead to a newer PDF soon.
      'cache-control': 'public, max-age=60',
      'content-security-policy': 'sandbox',
    },
    ...(part.body && { body: part.body.toString('base64'), isBase64Encoded: true }),
  }
}
