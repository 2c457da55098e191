import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignatureV4 } from '@smithy/signature-v4'
import { startEventBridge } from '../../lib/twin/events/server.ts'
import { eventStore, type StoredEvent, storedEvents } from '../../lib/twin/events/store.ts'
import type { RequestedAction } from '../../lib/twin/iam/policy.ts'
import { signedHeaders } from '../../shared/events/signature.ts'
import { counted } from '../support/partitions.ts'

Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'secret' })

let folder = ''
beforeEach(async () => {
  delete process.env.AWS_SESSION_TOKEN
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-events-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** SHA-256, and its HMAC, as the SDK's signer asks for them. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret ? createHmac('sha256', secret) : createHash('sha256')
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  digest = async (): Promise<Uint8Array> => this.#hash.digest()
}

test.each([undefined, 'token'])('a request is signed as the SDK signs it (session %s)', async sessionToken => {
  if (sessionToken) process.env.AWS_SESSION_TOKEN = sessionToken
  const now = Date.UTC(2026, 4, 1, 12)
  const request = { service: 'events', region: 'eu-central-1', host: 'events.example:8', target: 'AWSEvents.PutEvents' }
  const headers = signedHeaders({ ...request, body: '{"ä":1}', now })
  const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret', ...(sessionToken && { sessionToken }) }
  const signer = new SignatureV4({
    ...{ credentials, region: request.region, service: 'events', sha256: Sha256 as never, applyChecksum: false },
  })
  const unsigned = { host: request.host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': request.target }
  const signed = await signer.sign(
    { method: 'POST', protocol: 'https:', hostname: '', path: '/', headers: unsigned, body: '{"ä":1}', query: {} },
    { signingDate: new Date(now) },
  )
  expect(headers.authorization).toBe(signed.headers.authorization)
  expect(headers['x-amz-security-token']).toBe(sessionToken)
})

const allowed = 'arn:aws:events:eu-central-1:000000000000:event-bus/own'

/** Asks the twin's bus as a function that may use the bus `own`. */
const ask = async (entries: unknown, { secret = 'secret', target = 'AWSEvents.PutEvents' } = {}) => {
  const bus = await startEventBridge({
    secretOf: () => secret,
    allows: (_: string, { action, resource }: RequestedAction) => action === 'events:PutEvents' && resource === allowed,
    onRequest: () => {},
    append: eventStore(folder).append,
  })
  const body = JSON.stringify({ Entries: entries })
  const { host } = new URL(bus.url)
  const headers = signedHeaders({ service: 'events', region: 'eu-central-1', host, target, body, now: Date.now() })
  const response = await fetch(bus.url, { method: 'POST', headers, body })
  const json = (await response.json()) as { __type?: string }
  await bus.close()
  return [response.status, json.__type ?? json]
}

const entry = { EventBusName: 'own', Source: 's', DetailType: 't', Detail: '{"n":1}', Time: 0 }

test('the twin’s bus keeps what it takes, and says of each entry whether it did', async () => {
  const answer = await ask([entry, { ...entry, Detail: 'no JSON' }, { ...entry, Source: '' }])
  const refused = { ErrorCode: 'MalformedDetail', ErrorMessage: expect.any(String) }
  expect(answer).toEqual([200, { FailedEntryCount: 2, Entries: [{ EventId: expect.any(String) }, refused, refused] }])
  const [line, ...more] = await storedEvents(folder)
  const kept = {
    id: expect.any(String),
    time: '1970-01-01T00:00:00.000Z',
    source: 's',
    'detail-type': 't',
    detail: { n: 1 },
  }
  expect([JSON.parse(line ?? ''), more]).toEqual([kept, []])
})

test('the twin’s bus takes nothing without the right to it, a true signature, or in more than ten entries', async () => {
  expect(await ask([{ ...entry, EventBusName: 'other' }])).toEqual([400, 'AccessDeniedException'])
  expect(await ask([entry, { ...entry, EventBusName: undefined }])).toEqual([400, 'AccessDeniedException'])
  expect(await ask([entry], { secret: 'another' })).toEqual([403, 'InvalidSignatureException'])
  expect(await ask(Array(11).fill(entry))).toEqual([400, 'ValidationException'])
  expect(await ask([])).toEqual([400, 'ValidationException'])
  expect(await ask([{ ...entry, Detail: `"${'x'.repeat(270_000)}"` }])).toEqual([400, 'ValidationException'])
  expect(await ask([entry], { target: 'AWSEvents.PutRule' })).toEqual([501, 'NotImplemented'])
  expect(await storedEvents(folder)).toEqual([])
})

test('the twin’s bus keeps its newest events in order, and no more than two files of some megabytes', async () => {
  const { append } = eventStore(folder)
  const eventAt = (n: number): StoredEvent => ({
    ...{ id: `${n}`, time: '', source: 's', 'detail-type': 't', detail: { text: 'x'.repeat(1_000_000) } },
  })
  await Promise.all(counted(20).map(n => append([eventAt(n)])))
  const ids = (await storedEvents(folder)).map(line => Number(JSON.parse(line).id))
  expect(ids).toEqual(counted(20).slice(-ids.length))
  expect(ids.length).toBeGreaterThan(5)
  expect(ids.length).toBeLessThan(14)
  expect((await stat(join(folder, 'events.jsonl'))).mode & 0o777).toBe(0o600)
})
