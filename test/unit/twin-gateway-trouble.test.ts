import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Gateway, startGateway } from '../../lib/twin/gateway/gateway.ts'
import type { LocalFunction } from '../../lib/twin/lambda/function.ts'

const echo: LocalFunction = { invoke: async event => event, renew: () => {}, close: async () => {} }

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway(0, [{ key: 'ANY /echo', target: echo }], [], 200)
})
afterAll(() => gateway.close())

/** Returns the bytes of a connection of its own until the gateway closes it; the caller never does. */
const exchange = async (sent: string): Promise<string> => {
  const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.write(sent)
  return text(socket)
}

const statuses = (received: string): string[] =>
  received.match(/^HTTP\/1\.1 \d{3}/gm)?.map(line => line.slice(-3)) ?? []
const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`
const upgrade = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket']

describe('a request to upgrade the connection', () => {
  test('is answered like any other, and its connection ends, whatever follows', async () => {
    const received = await exchange(`${lines('GET /echo HTTP/1.1', ...upgrade)}no request line\r\n\r\n`)
    expect(statuses(received)).toEqual(['200'])
    expect(received).toMatch(/^connection: close\r$/im)
  })

  test('keeps its body', async () => {
    const head = lines('POST /echo HTTP/1.1', ...upgrade, 'Content-Type: text/plain', 'Content-Length: 4')
    expect(await exchange(`${head}wine`)).toContain('"body":"wine"')
  })
})

describe('a request that does not arrive whole in time is answered with 408, and its connection is closed', () => {
  test.each([
    ['its body stalls', `${lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 9')}half`],
    ['its headers stall', 'GET /echo HTTP/1.1\r\nHost:'],
    ['its chunks stall', `${lines('POST /echo HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')}4\r\nwine\r\n`],
  ])('%s', async (_, sent) => {
    const received = await exchange(sent)
    expect(statuses(received)).toEqual(['408'])
    expect(received).toMatch(/^connection: close\r$/im)
  })
})

test.each([
  ['400', 'no request line'],
  ['431', `GET /echo HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}`],
])('an unreadable request gets %s, and its connection is closed even if the caller keeps it open', async (status, sent) => {
  expect(statuses(await exchange(`${sent}\r\n\r\n`))).toEqual([status])
})

test("an event names the gateway's own domain, whatever the caller's Host says", async () => {
  const received = await exchange(lines('GET /echo HTTP/1.1', 'Host: evil.example', 'Connection: close'))
  const { requestContext, headers } = JSON.parse(received.slice(received.indexOf('{')))
  expect(headers.host).toBe('evil.example')
  expect(requestContext.domainName).toBe(`localhost:${gateway.port}`)
})
