import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EventBridgeClient, ListEventBusesCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { startEventBridge } from '../../lib/twin/events/server.ts'
import { eventStore, type StoredEvent, storedEvents } from '../../lib/twin/events/store.ts'
import type { RequestedAction } from '../../lib/twin/iam/policy.ts'
import { counted } from '../support/partitions.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('events')
})

const allowed = 'arn:aws:events:eu-central-1:000000000000:event-bus/own'

/** Calls the twin's bus as a function that may use the bus `own`. Returns the answer, or the name of the refusal. */
const ask = async (Entries: object[], { secret: secretAccessKey = 'secret', list = false } = {}) => {
  const bus = await startEventBridge({
    secretOf: () => 'secret',
    allows: (_: string, { action, resource }: RequestedAction) => action === 'events:PutEvents' && resource === allowed,
    onRequest: () => {},
    append: eventStore(folder).append,
  })
  const credentials = { accessKeyId: 'KEY', secretAccessKey }
  const client = new EventBridgeClient({ endpoint: bus.url, region: 'eu-central-1', credentials, maxAttempts: 1 })
  const command = new PutEventsCommand({ Entries })
  const sent: Promise<object> = list ? client.send(new ListEventBusesCommand()) : client.send(command)
  const answer = await sent.catch(({ name }: Error) => name)
  client.destroy()
  await bus.close()
  return answer
}

const entry = { EventBusName: 'own', Source: 's', DetailType: 't', Detail: '{"n":1}', Time: new Date(0) }

test('the twin’s bus stores the accepted entries, and returns the result of each', async () => {
  const answer = await ask([entry, { ...entry, Detail: 'no JSON' }, { ...entry, Source: undefined }])
  const refused = { ErrorCode: 'MalformedDetail', ErrorMessage: expect.any(String) }
  const Entries = [{ EventId: expect.any(String) }, refused, refused]
  expect(answer).toMatchObject({ FailedEntryCount: 2, Entries })
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

test('the twin’s bus refuses requests without permission, with a wrong signature, or with more than ten entries', async () => {
  expect(await ask([{ ...entry, EventBusName: 'other' }])).toBe('AccessDeniedException')
  expect(await ask([entry, { ...entry, EventBusName: undefined }])).toBe('AccessDeniedException')
  expect(await ask([entry], { secret: 'another' })).toBe('InvalidSignatureException')
  expect(await ask(Array(11).fill(entry))).toBe('ValidationException')
  expect(await ask([])).toBe('ValidationException')
  expect(await ask([{ ...entry, Detail: `"${'x'.repeat(270_000)}"` }])).toBe('ValidationException')
  expect(await ask([entry], { list: true })).toBe('NotImplemented')
  expect(await storedEvents(folder)).toEqual([])
})

test('the twin’s bus stores its newest events in order, in at most two files of some megabytes', async () => {
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
