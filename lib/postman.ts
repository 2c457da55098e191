import { createRequire } from 'node:module'
import { errors } from '../shared/contract/errors.ts'
import type { JsonSchema } from '../shared/contract/schema/wire.ts'

type Outcome = { result: true; output: [{ data: object }] } | { result: false; reason: string }
type Converter = {
  convertV2(
    input: { type: 'json'; data: object },
    options: Readonly<Record<string, unknown>>,
    done: (error: Error | null, outcome: Outcome) => void,
  ): void
}

/**
 * Returns a Postman collection (v2.1) of an OpenAPI document: a folder for each tag, requests with the document's examples.
 * Bruno and Insomnia import it as well. Rejects when the document cannot be converted.
 */
export const collectionOf = (document: JsonSchema): Promise<object> => {
  // The tags of error words would be empty folders; each request describes its own errors.
  const tags = (document.tags as { name: string }[]).filter(({ name }) => !(name in errors))
  // Loaded here because it is slow to load.
  const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2') as Converter
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example', requestParametersResolution: 'Example' }
  return new Promise((done, failed) =>
    convertV2({ type: 'json', data: { ...structuredClone(document), tags } }, options, (error, outcome) => {
      if (error) failed(error)
      else if (outcome.result) done(outcome.output[0].data)
      else failed(new Error(outcome.reason))
    }),
  )
}
