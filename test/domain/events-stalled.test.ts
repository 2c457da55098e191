import type { BusEvent } from '../../shared/contract/events.ts'
import { putEvents } from '../../shared/events/bus.ts'
import { localServer } from '../support/local-server.ts'

const detail = { schema: 1, id: 'a', customers_id: 1, time: '2026-05-01 12:00:00', sequence: 1, wine_id: 1 } as const
const event: BusEvent = { type: 'wine.changed', detail: { ...detail, articlenumber: null } }

let how = ''
const AWS_ENDPOINT_URL_EVENTBRIDGE = await localServer((_, response) => {
  if (how === 'never answers') return
  response.writeHead(200, { 'content-length': 1_000_000 })
  response.write('{')
  if (how === 'answers letter by letter') setInterval(() => response.write(' '), 50).unref()
})
Object.assign(process.env, { AWS_ENDPOINT_URL_EVENTBRIDGE, EVENT_BUS_NAME: 'bus' })

test.each([
  'never answers',
  'begins to answer',
  'answers letter by letter',
])('a bus that %s is given up', async kind => {
  how = kind
  await expect(putEvents([event], 400)).rejects.toThrow()
})
