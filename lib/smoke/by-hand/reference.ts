import { routes } from '../../../shared/contract/routes/index.ts'
import { demand } from '../compare.ts'
import { sendListed } from '../listed.ts'
import { type ByHand, byHand } from '../walk.ts'

/** The documents of the service: the routes in one, and the files that another names. */
export const referenceSteps: readonly ByHand[] = [
  byHand('/openapi.json', 'describes every route', async (walk, listed) => {
    const { openapi, paths } = (await sendListed(walk, listed)).json as { openapi?: string; paths?: object }
    demand(openapi?.startsWith('3.1') ?? false, 'it is no OpenAPI 3.1 document')
    const documented = routes.flatMap(({ path, documentedPaths }): readonly string[] => documentedPaths ?? [path])
    const missing = documented.filter(path => !Object.hasOwn(paths ?? {}, path))
    demand(missing.length === 0, `it lacks ${missing.join(', ')}`)
  }),
  byHand('/docs-assets/{file}', 'returns a file of the reference page', async (walk, listed) => {
    const { bytes } = await walk.call('/docs', {})
    const [, file, v] = /\/docs-assets\/([^"'?]+)(?:\?v=([^"']*))?/.exec(bytes.toString()) ?? []
    demand(file !== undefined, 'the page names no file')
    const answer = await sendListed(walk, { ...listed, request: { file, v } })
    demand(answer.bytes.length > 0, 'the file is empty')
  }),
]
