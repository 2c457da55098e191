import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BusEvent } from '../../shared/contract/events.ts'
import { putEvents } from '../../shared/events/bus.ts'

const detail = { schema: 1, id: 'a', customers_id: 1, time: '2026-05-01 12:00:00', sequence: 1, wine_id: 1 } as const
const event: BusEvent = { type: 'wine.changed', detail: { ...detail, articlenumber: null } }

let how = ''
const server = createServer((_, response) => {
  if (how === 'never answers') return
  response.writeHead(200, { 'content-length': 1_000_000 })
  response.write('{')
  if (how === 'answers letter by letter') setInterval(() => response.write(' '), 50).unref()
})
beforeAll(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(process.env, { AWS_ENDPOINT_URL_EVENTBRIDGE: url, EVENT_BUS_NAME: 'bus' })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.each([
  'never answers',
  'begins to answer',
  'answers letter by letter',
])('a bus that %s is given up', async kind => {
  how = kind
  const begun = Date.now()
  await expect(putEvents([event], 400)).rejects.toThrow()
  expect(Date.now() - begun).toBeLessThan(10_000)
})
