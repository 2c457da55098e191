import { routes } from '../../../shared/contract/routes/index.ts'
import { demand, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

/** Requests a file, and requests it again with its ETag. */
const fileTwice = async (walk: Walk, path: string, fields: Record<string, unknown> = {}) => {
  const reply = await walk.file(path, fields)
  same(reply.status, 200, 'the status')
  const etag = reply.headers.get('etag')
  demand(etag !== null, 'the header ETag is missing')
  const again = await walk.file(path, fields, { headers: { 'if-none-match': etag ?? '' } })
  same(again.status, 304, 'the status with If-None-Match')
  return reply
}

/** Reads the documents of the service, and its labels. */
export const referenceSteps: readonly Step[] = [
  step('/openapi.json', 'describes every route', async walk => {
    const { json } = await fileTwice(walk, '/openapi.json')
    const { openapi, paths } = (json ?? {}) as { openapi?: string; paths?: Record<string, unknown> }
    demand(openapi?.startsWith('3.1') ?? false, 'it is no OpenAPI 3.1 document')
    const written = routes.flatMap(({ path, documentedPaths }): readonly string[] => documentedPaths ?? [path])
    const missing = written.filter(path => !paths?.[path])
    demand(missing.length === 0, `it lacks ${missing.join(', ')}`)
  }),
  step('/weinkontor-client.tgz', 'returns the typed client', async walk => {
    const { bytes } = await fileTwice(walk, '/weinkontor-client.tgz')
    same(bytes.subarray(0, 2).toString('hex'), '1f8b', 'the beginning of a gzip file')
  }),
  step('/docs', 'returns the reference page', async walk => {
    await fileTwice(walk, '/docs')
  }),
  step('/docs-assets/{file}', 'returns a file of the reference page', async walk => {
    const { bytes } = await walk.file('/docs', {})
    const [, file, version] = /\/docs-assets\/([^"'?]+)(?:\?v=([^"']*))?/.exec(bytes.toString()) ?? []
    demand(file !== undefined, 'the page names no file')
    const asset = await walk.file('/docs-assets/{file}', { file, v: version })
    demand(asset.bytes.length > 0, 'the file is empty')
  }),
  step('/localization/{path+}', 'returns the names of ids and words', async walk => {
    const { json } = await fileTwice(walk, '/localization/{path+}', { path: 'de' })
    same(json, { countries: { de: 'Deutschland' } }, 'the tables')
  }),
  step('/localization/{path+}', 'returns one table of names', async walk => {
    const { json } = await walk.file('/localization/{path+}', { path: 'en/countries' })
    same(json, { de: 'Germany' }, 'the table')
    await walk.refused('/localization/{path+}', { path: 'xx' }, 'localization_not_found')
  }),
]
