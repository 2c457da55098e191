import * as v from 'valibot'
import { maxFields } from '../errors.ts'
import type { Route } from '../route.ts'
import { described, must } from './wire.ts'

// The schemas of whole answers, for documents and for tests that check answers; functions do not load them.

const info = described(v.literal('success'), 'Always `success`; a refusal has `error`.')

const whole = v.pipe(v.number(), must<number>('integer', 'a whole number', Number.isInteger, { type: 'integer' }))

const itsPlace = 'Position of the page in its list.'

/** The position of a page in its list. */
export const Pages = described(
  v.strictObject({
    current: described(whole, 'Number of this page, from 1.'),
    total: described(whole, 'Number of the last page.'),
    size: described(whole, 'Records on a page; of a page that ended early, the records it has.'),
    next: described(
      v.optional(
        v.strictObject({ start: described(whole, 'Number of records before the next page; send it as `start`.') }),
      ),
      'Start of the next page. Present if the page ended early or was asked for by `start`.',
    ),
  }),
  itsPlace,
)

const BadField = v.object({
  path: described(v.string(), 'Path of the field in the request, as `data.items.0.quantity`.'),
  rule: described(v.string(), 'The broken rule, a stable word.'),
  expected: described(v.string(), 'Completes "must be …".'),
  item_type: described(v.optional(v.string()), 'Kind of an ordered item: `wine` or `product`.'),
  item_id: described(v.optional(whole), 'Id of an ordered item.'),
})

/** The body of every refusal. */
export const Refusal = described(
  v.looseObject({
    info: described(v.literal('error'), 'Always `error`.'),
    code: described(whole, 'The HTTP status.'),
    error: described(v.string(), 'A stable word for programs.'),
    details: described(v.string(), 'A sentence for people. Its wording may change.'),
    fields: described(
      v.optional(v.pipe(v.array(BadField), v.maxLength(maxFields))),
      `All bad fields of the request, at most ${maxFields}. Received values are never repeated.`,
    ),
    request_id: described(v.string(), 'The same as the header `x-request-id`; quote it when you report a problem.'),
  }),
  'A refusal.',
)

const entriesOf = (schema: v.GenericSchema): v.ObjectEntries =>
  (schema as v.ObjectSchema<v.ObjectEntries, undefined>).entries

const place = {
  totalCount: described(whole, 'Number of records in the whole list.'),
  pages: described(Pages, itsPlace),
}

/** The schema of a route's whole success body; it refuses undeclared fields. */
export const successOf = ({ envelope, response, aliases = {}, listFields, isFlat }: Route): v.GenericSchema => {
  if (envelope === 'bare') return v.strictObject({ info, ...entriesOf(response) })
  const isList = envelope === 'list'
  const data = isList ? v.array(response) : response
  const sentence = isList ? 'Records of this page.' : 'Result of the request.'
  const repeated = Object.entries(aliases).map(([name, part]) => [
    name,
    described(part === 'data' ? data : Pages, `The same as \`${part}\`, for existing clients.`),
  ])
  return v.strictObject({
    info,
    data: v.getDescription(data) === undefined ? described(data, sentence) : data,
    ...(isList && place),
    ...Object.fromEntries(repeated),
    ...(isFlat && entriesOf(response)),
    ...listFields?.entries,
  })
}
