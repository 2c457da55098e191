import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { startS3 } from '../../lib/twin/s3/server.ts'
import { findTwin, type TwinConnection } from '../../lib/twin/twin-file.ts'
import { cost } from '../../shared/clients/passwords.ts'
import { type Client, completeClient } from '../../shared/contract/records/client.ts'
import type { PaymentType } from '../../shared/contract/vocabulary.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { checkContract } from './contract-check.ts'
import { checkDocument } from './document-check.ts'
import { answerPost, serveInProcess } from './in-process.ts'
import { afterFile } from './jest/environment.ts'

const { TEST_TWIN = '', TEST_TABLE, TABLE_NAME = '' } = process.env

/**
 * The folder of the files. A test file with a table of its own has its own S3, too, which a second table would disturb.
 */
export const filesFolder = TEST_TABLE ? join(TEST_TWIN, 'files', `of-${TABLE_NAME}`) : join(TEST_TWIN, 'files')

/** Beside a table alone (table.ts), the functions run in this process, and files are in a bucket of the table's name. */
const onTable = async (): Promise<TwinConnection> => {
  // unit/client-password tests the real cost of a password: a tenth of a second.
  Object.assign(cost, { n: 16, r: 1, p: 1 })
  const { TABLE_NAME: bucket = '' } = process.env
  const files = await startS3({ folder: filesFolder, buckets: [bucket], secretOf: () => 'test', allows: () => true })
  Object.assign(process.env, { BUCKET_NAME: bucket, AWS_ENDPOINT_URL_S3: files.url })
  const { url, close } = await serveInProcess()
  afterFile(() => Promise.all([close(), files.close()]))
  return {
    pid: process.pid,
    url,
    requests: '',
    functions: {},
    stage: 'twin',
    table: bucket,
    bucket,
    environment: {},
  }
}

/** The twin that the global set-up started. This process may use the stores as its operator. */
export const twin = await (async () => {
  if (TEST_TABLE) return onTable()
  const connection = await findTwin(TEST_TWIN)
  if (!connection) throw new Error('no twin runs for the tests')
  actAsOperator(connection)
  return connection
})()

/** An answer over HTTP: `json` is what its body parses to, `text` the body byte for byte. */
export type Answer = { status: number; headers: Headers; text: string; json: Json }

// The shape of a body is the test's claim; a wrong claim fails the test.
// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions
export type Json = any

/** A refusal in short: status and word. */
export const refusal = ({ status, json }: Answer): unknown[] => [status, json.error]

/** The record in an answer that must be no refusal. */
export const recordOf = ({ status, json }: Answer): Json => {
  expect([status, json.error]).toEqual([200, undefined])
  return json.data
}

export type Options = {
  token?: string
  method?: string
  headers?: Record<string, string>
  raw?: string
  baseUrl?: string
}

// A text that is not JSON is undefined.
const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

const fetched = async (url: string, method: string, headers: Record<string, string>, body: string) => {
  const response = await fetch(url, { method, redirect: 'manual', headers, ...(method === 'POST' && { body }) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Sends one request, by default a POST with a JSON body. */
export const call = async (path: string, body: unknown = {}, options: Options = {}): Promise<Answer> => {
  const { token, method = 'POST', headers = {}, raw, baseUrl = twin.url } = options
  const sent = {
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...headers,
  }
  const text = raw ?? JSON.stringify(body)
  const isDirect = TEST_TABLE && method === 'POST' && baseUrl === twin.url
  const received =
    (isDirect && (await answerPost(path, sent, text))) || (await fetched(baseUrl + path, method, sent, text))
  const isJson = received.text !== '' && received.headers.get('content-type')?.startsWith('application/json')
  const answer = { ...received, json: isJson ? JSON.parse(received.text) : undefined }
  if (isJson) checkContract(path, answer)
  checkDocument({ method, path, body: raw === undefined ? body : parsed(raw) }, answer)
  return answer
}

/** A merchant of a test's own, signed in. */
export type Shop = {
  id: MerchantId
  authid: string
  apiToken: string
  tokenId: string
  token: string
  /** Calls a Service route: `shop.call('addresses/get', { id })`. */
  call(route: string, body?: unknown, options?: Options): Promise<Answer>
}

/** Creates a merchant with an API token of the role desk, which all routes accept, and a session. */
export const newShop = async (name = 'Testkellerei', paymentTypes: PaymentType[] = ['invoice']): Promise<Shop> => {
  const account = await createMerchant({ name, paymentTypes })
  const { id: tokenId, token: apiToken } = await issueToken(account, 'test', { role: 'desk' })
  const { json } = await call('/service/login', { token: apiToken, authid: account.authid })
  return {
    id: account.id as MerchantId,
    authid: account.authid,
    apiToken,
    tokenId,
    token: json.token,
    call: (route, body, options) => call(`/service/${route}`, body, { token: json.token, ...options }),
  }
}

let clients = 0

const person = {
  type: 'private',
  active: 1,
  invoice_type: 'gross',
  number: 'K-1001',
  gender: 'f',
  first_name: 'Katharina',
  last_name: 'Lindemann',
  salutation: 'Sehr geehrte Frau Lindemann',
  address: 'Elbchaussee 12',
  zip: '22765',
  city: 'Hamburg',
  countrycode: 'de',
  mail: 'katharina.lindemann@example.org',
  phone: '040 66969123',
  newsletter: 1,
} as const

/** Stores a client of a shop with the given fields and without terms of its own; returns its record. */
export const newClient = async (
  { id: customers_id }: Pick<Shop, 'id'>,
  fields: Partial<Client> = {},
): Promise<Client> => {
  // Never the same in two shops of a file, so that one shop's client is unknown to the other.
  const client = completeClient({ ...person, customers_id, ...fields, id: ++clients })
  await putItem(key('client', { merchant: customers_id, id: client.id }), client)
  return client
}

/** The number of DynamoDB requests of a route's function so far, by operation. */
export const requestsOf = async (path: string): Promise<Record<string, number>> => {
  const counts = (await (await fetch(twin.requests)).json()) as Record<string, Record<string, number>>
  const prefix = `${path.replace(/[^A-Za-z0-9]/g, '')}Function`
  return Object.entries(counts).find(([name]) => name.startsWith(prefix))?.[1] ?? {}
}
