import { join } from 'node:path'
import { fileOf } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { formToken } from '../../shared/merchants/sessions.ts'
import { tableClient } from '../../shared/platform/table/table.ts'
import { localServer } from '../support/local-server.ts'
import { call, json, type Sent } from '../support/serve-harness.ts'

// Table and files never answer.
tableClient.middlewareStack.add(() => () => new Promise(() => {}), { step: 'initialize', name: 'silence' })
Object.assign(process.env, {
  TABLE_NAME: 'silent',
  BUCKET_NAME: 'silent',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AWS_ENDPOINT_URL_S3: await localServer(() => {}),
})

// A function answers half a second before its timeout.
const almostOver = 520

const headers = {
  'content-type': 'application/json',
  authorization: `Bearer ${formToken('wks', 'a'.repeat(12))}`,
  'x-request-id': 'r1',
}
/** Valid requests of the routes without a sign-in. */
const bodies: Record<string, object> = {
  '/service/login': { authid: 'wk-somebody', token: formToken('wka', 'a'.repeat(12)) },
  '/wines/getFilters': { filter: ['type'] },
  '/elabels/get': { uuid: '0'.repeat(32) },
  '/wines/getPublic': { id: 1 },
  '/wines/downloadExpertise': { wineId: 1, expertiseFileName: 'a.pdf' },
  '/payments/paypal/webhook': {
    id: 'WH-1',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: { custom_id: '0f8fad5b-d9cb-469f-a165-70867728950e' },
  },
}
// The parameters of the path are sent in the query here.
const queries: Record<string, string> = {
  '/Images/{kind}/{id}/{file}': `kind=wine&id=1&file=${'0'.repeat(32)}-10x10.webp`,
  '/e/{path+}': `path=${'0'.repeat(32)}`,
}
const got = (path: string): Sent => ({ method: 'GET', query: queries[path] ?? 'id=1&file=a.pdf' })

// Routes without access to the table have nothing to wait for.
const waiting = routes.filter(({ level, permissions }) => level !== 'public' || Object.keys(permissions).length > 0)

test.each(waiting.map(({ path }) => path))('%s returns 503 before its timeout', async path => {
  const route = routes.find(one => one.path === path)
  if (!route) throw new Error(path)
  const { handler } = await import(join(import.meta.dirname, '../../functions', `${fileOf(route)}.ts`))
  const sent = route.methods.includes('POST') ? { body: JSON.stringify(bodies[path] ?? {}) } : got(path)
  const reply = await call(handler, { ...sent, headers }, almostOver)
  expect(reply).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1', 'x-request-id': 'r1' } })
  expect(json(reply)).toMatchObject({ info: 'error', code: 503, error: 'temporarily_unavailable', request_id: 'r1' })
})
