import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Row, runSmoke } from '../../lib/smoke/run.ts'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { examplesOf, isObject, type List, list } from '../../shared/reference/examples.ts'
import { twin } from '../support/harness.ts'
import { ListRecorder } from '../support/recorded-examples.ts'
import { patience } from '../support/tool.ts'

// The answers in the list of requests are those of a walk at the first demo merchant, whose orders, baskets and addresses no
// other test reads. UPDATE=1 records them again, and the requests of the steps by hand.

const file = join(import.meta.dirname, '../../shared/reference/examples.json')
const { authid, deskToken: token } = credentialsOf('elbufer')
const returnUrl = 'https://shop.example/done'
const options = { url: twin.url, authid, token, timeout: patience, patience, returnUrl, usesInvoices: true }

/** The kind of a value, through lists and objects. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
  return value === null ? null : typeof value
}

const keysOf = (value: unknown): unknown => (isObject(value) ? Object.keys(value).toSorted() : typeof value)

const outlineOf = (one: List) =>
  Object.entries(examplesOf(one)).map(([path, examples]) => [
    path,
    examples.map(({ name, request, answer }) => [name, shapeOf(request), keysOf(answer), keysOf(answer?.data)]),
  ])

describe('the examples of the reference', () => {
  const recorder = new ListRecorder(twin.url)

  test(
    'are those of a walk in which no answer differs',
    async () => {
      const rows: Row[] = []
      const onRow = (row: Row): void => {
        recorder.onRow(row)
        rows.push(row)
      }
      await runSmoke({ ...options, onCall: recorder.onCall, onRow })
      expect(rows.filter(({ wrong }) => wrong !== null)).toEqual([])
    },
    patience,
  )

  test('are up to date; UPDATE=1 records them again', () => {
    const now = recorder.list()
    if (process.env.UPDATE) writeFileSync(file, JSON.stringify(now))
    else expect(outlineOf(list)).toEqual(outlineOf(now))
  })
})
