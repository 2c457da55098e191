import { errors } from '../../shared/contract/errors.ts'
import type { JsonSchema } from '../../shared/contract/schema/wire.ts'
import { advice } from '../../shared/reference/advice.ts'
import { openApiDocument } from '../../shared/reference/document.ts'

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSentence = (text: unknown): boolean => typeof text === 'string' && /^[`\w-].*[.)]$/s.test(text)

/** The paths of the properties, parameters, headers and responses in a part of a document that no sentence describes. */
const undescribed = (part: unknown, path: string): string[] => {
  if (Array.isArray(part)) return part.flatMap((one, n) => undescribed(one, `${path}.${one?.name ?? n}`))
  if (!isObject(part)) return []
  const { properties, parameters = [], responses = {}, headers = {} } = part
  const all = [
    ...(path.endsWith('.properties') || !isObject(properties) ? [] : Object.entries(properties)),
    ...Object.entries({ ...(isObject(responses) && responses), ...(isObject(headers) && headers) }),
    ...(Array.isArray(parameters) ? parameters.map(one => [one.name, one] as const) : []),
  ]
  const missing = all.flatMap(([name, one]) => {
    const { description, $ref } = one as JsonSchema
    const isDescribedElsewhere = $ref !== undefined && !String($ref).includes('/schemas/')
    return isDescribedElsewhere || isSentence(description) ? [] : [`${path}.${name}`]
  })
  const below = Object.entries(part).filter(([key]) => key !== 'examples' && key !== 'example')
  return [...missing, ...below.flatMap(([key, one]) => undescribed(one, `${path}.${key}`))]
}

test('every property, parameter, header and response of the document has a description', () => {
  const { paths, components } = openApiDocument({ baseUrl: 'https://service.example' })
  expect(undescribed(paths, 'paths')).toEqual([])
  expect(undescribed(components, 'components')).toEqual([])
})

test('what lacks a description is named by its path', () => {
  const bare = { type: 'object', properties: { id: { type: 'integer' }, note: { description: 'A note.', items: {} } } }
  const operation = {
    parameters: [{ name: 'page' }],
    responses: { 200: { description: 'ok' }, 400: { $ref: '#/components/responses/x' } },
  }
  expect(undescribed({ Wine: bare, get: operation }, 'x')).toEqual(['x.Wine.id', 'x.get.200', 'x.get.page'])
})

test.each(Object.entries(errors))('the error word %s says what happened and what to do', (word, [, sentence]) => {
  expect([sentence, advice[word as keyof typeof advice]].filter(text => !isSentence(text))).toEqual([])
})
