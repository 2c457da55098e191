import { mkdtemp, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Gateway, startGateway } from '../../lib/twin/gateway/gateway.ts'
import { type LocalFunction, localFunction } from '../../lib/twin/lambda/function.ts'
import { instanceLimiter } from '../../lib/twin/lambda/instance-limiter.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const handlers = {
  'ANY /echo': 'export const handler = async event => event',
  'GET /PDF/{id}/{file}': 'export const handler = async event => event',
  'ANY /rest/{path+}': 'export const handler = async event => event',
  'ANY /size': 'export const handler = async ({ body }) => ({ statusCode: 200, body: String((body ?? "").length) })',
  'ANY /large': `export const handler = async ({ queryStringParameters: { size, letter } }) =>
    ({ statusCode: 200, body: (letter ?? 'x').repeat(Number(size)) })`,
  'ANY /sleep': 'export const handler = () => new Promise(() => {})',
  'ANY /loop': 'export const handler = async () => { for (;;); }',
  'ANY /moody': `export const handler = async ({ queryStringParameters: { mood } }) => {
    if (mood === 'throw') throw new Error('thrown')
    if (mood === 'exit') process.exit(1)
    if (mood === 'stray') await new Promise(() => setTimeout(() => { throw new Error('stray') }))
    if (mood === 'fill') for (const all = []; ; ) all.push(new Array(100000).fill(Math.random()))
    return { statusCode: 200, body: 'well' }
  }`,
  'ANY /late': `export const handler = async ({ queryStringParameters: { mood } }) => {
    setTimeout(() => {
      if (mood === 'throw') throw new Error('thrown late')
      process.exit(1)
    }, 200)
    return { statusCode: 200, body: 'well' }
  }`,
  'ANY /broken': 'throw new Error("cannot be loaded")',
  'ANY /empty': 'export const other = 1',
  'ANY /thread': `import { threadId } from 'node:worker_threads'
    export const handler = async () => {
      await new Promise(done => setTimeout(done, 20))
      return { statusCode: 200, body: String(threadId) }
    }`,
  'ANY /cookies': `export const handler = async () =>
    ({ statusCode: 201, headers: { 'content-type': 'text/plain' }, cookies: ['a=1', 'b=2'], body: 'SGk=', isBase64Encoded: true })`,
}

const folder = temporaryFolder('gateway')
let gateway: Gateway
const functions: LocalFunction[] = []
let logged = ''

const log = new Writable({
  write: (chunk, _, done) => {
    logged += chunk
    done()
  },
})
log.setMaxListeners(0)
const limiter = instanceLimiter(100)

// The others get time enough to start on a busy machine.
const impatient = ['ANY /sleep', 'ANY /loop']

const functionOf = async (name: string, source: string): Promise<LocalFunction> => {
  const own = await mkdtemp(join(folder, 'function-'))
  await writeFile(join(own, 'index.mjs'), source)
  const model = { name, arn: `arn:${name}`, bundle: '', handler: 'index.handler', environment: {}, statements: [] }
  const limits = { timeoutSeconds: impatient.includes(name) ? 1 : 15, memoryMb: 64 }
  const options = { folder: own, environment: () => ({}), log, maxInstances: 2, limiter }
  const made = localFunction({ ...options, model: { ...model, ...limits } })
  functions.push(made)
  return made
}

beforeAll(async () => {
  const routes = Object.entries(handlers).map(async ([key, source]) => ({ key, target: await functionOf(key, source) }))
  gateway = await startGateway(0, await Promise.all(routes))
})

afterAll(async () => {
  await gateway.close()
  for (const one of functions) await one.close()
})

type Reply = { status: number | undefined; headers: IncomingHttpHeaders; body: string }

/** One request on a connection of its own. */
const send = (path: string, options: RequestOptions = {}, body = ''): Promise<Reply> =>
  new Promise((done, failed) => {
    const own = { agent: false, host: '127.0.0.1', port: gateway.port, path, ...options }
    const outgoing = request(own, async response => {
      done({ status: response.statusCode, headers: response.headers, body: await text(response) })
    })
    outgoing.on('error', failed).end(body)
  })

const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
const event = async (...call: Parameters<typeof send>) => JSON.parse((await send(...call)).body)
const failure = { status: 500, body: '{"message":"Internal Server Error"}' }
const megabyte = 1024 * 1024

test('a path and its parameters arrive decoded; an invalid escape is left as it is', async () => {
  const { routeKey, rawPath, rawQueryString, pathParameters } = await event('/PDF/12/Sp%C3%A4tlese%202.pdf?a=%C3%A4')
  expect(routeKey).toBe('GET /PDF/{id}/{file}')
  expect([rawPath, rawQueryString]).toEqual(['/PDF/12/Spätlese 2.pdf', 'a=%C3%A4'])
  expect(pathParameters).toEqual({ id: '12', file: 'Spätlese 2.pdf' })
  expect((await event('/PDF/12/100%.pdf')).pathParameters).toEqual({ id: '12', file: '100%.pdf' })
})

test('a path is cut at a decoded question mark or number sign, and has a segment more at a decoded slash', async () => {
  for (const sign of ['%3F', '%23'])
    expect((await event(`/PDF/12/a${sign}b.pdf?q=1`)).pathParameters).toEqual({ id: '12', file: 'a' })
  expect(await send('/PDF/12/a%2Fb.pdf')).toMatchObject({ status: 404 })
})

test('a greedy parameter matches the rest of the path, at least one segment', async () => {
  expect((await event('/rest/de')).pathParameters).toEqual({ path: 'de' })
  expect((await event('/rest/de/a%20b/')).pathParameters).toEqual({ path: 'de/a b/' })
  for (const path of ['/rest', '/rest/']) expect(await send(path)).toMatchObject({ status: 404 })
})

test.each(['/PDF/12', '/PDF/12/', '/PDF/12/a/b', '/pdf/12/a', '/echo/'])('%s is no path of the API', async path => {
  expect(await send(path)).toMatchObject({ status: 404, body: '{"message":"Not Found"}' })
})

test('an event has the payload format 2.0: repeated values joined by commas, cookies apart', async () => {
  const headers = { 'X-Two': ['one', 'two'], cookie: 'a=1; b=2' }
  const { isBase64Encoded, requestContext, ...rest } = await event('/echo?b=2&a=1&b=%20', { headers })
  expect(rest).toMatchObject({
    version: '2.0',
    routeKey: 'ANY /echo',
    rawPath: '/echo',
    rawQueryString: 'b=2&a=1&b=%20',
    queryStringParameters: { a: '1', b: '2, ' },
    cookies: ['a=1', 'b=2'],
    headers: { 'x-two': 'one,two' },
  })
  expect(rest.headers).not.toHaveProperty('cookie')
  expect(rest).not.toHaveProperty('body')
  expect(isBase64Encoded).toBe(false)
  expect(requestContext.http).toMatchObject({ method: 'GET', path: '/echo', sourceIp: '127.0.0.1' })
})

test('a single-value header that is sent twice has all its values', async () => {
  const { headers } = await event('/echo', {
    headers: ['host', 'localhost', 'authorization', 'Bearer one', 'authorization', 'Bearer two'],
  })
  expect(headers.authorization).toBe('Bearer one,Bearer two')
})

test('a body of text arrives as text, any other as base64', async () => {
  expect(await event('/echo', json, '{"ü":1}')).toMatchObject({ body: '{"ü":1}', isBase64Encoded: false })
  const binary = { method: 'POST', headers: { 'content-type': 'image/png' } }
  expect(await event('/echo', binary, 'ü')).toMatchObject({ body: 'w7w=', isBase64Encoded: true })
})

test('a response keeps its status, cookies and bytes; HEAD returns the headers only', async () => {
  const { status, headers, body } = await send('/cookies')
  expect({ status, body }).toEqual({ status: 201, body: 'Hi' })
  expect(headers).toMatchObject({ 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'], 'content-length': '2' })
  expect(await send('/cookies', { method: 'HEAD' })).toMatchObject({ status: 201, body: '' })
})

test.each(['/sleep', '/loop'])('a function that takes too long answers 500, each time (%s)', async path => {
  expect(await Promise.all([send(path), send(path)])).toMatchObject([failure, failure])
  expect(logged).toContain('Task timed out after 1 seconds')
})

test.each([
  'throw',
  'exit',
  'stray',
  'fill',
])('a function that fails (%s) answers 500 and serves the next request', async mood => {
  expect(await send(`/moody?mood=${mood}`)).toMatchObject(failure)
  expect(await send('/moody?mood=good')).toMatchObject({ status: 200, body: 'well' })
})

test.each([
  ['throw', 'thrown late'],
  ['exit', 'the function exited with code 1'],
])('a function that dies after its response (%s) is restarted for the next request', async (mood, line) => {
  const deaths = () => logged.split(line).length
  for (let n = 0; n < 2; n++) {
    const before = deaths()
    expect(await send(`/late?mood=${mood}`)).toMatchObject({ status: 200, body: 'well' })
    while (deaths() === before) await pause(20)
    // The last death is handled by now.
    await pause(250)
  }
})

test.each(['/broken', '/empty'])('a function without a handler answers 500 (%s)', async path => {
  expect(await send(path)).toMatchObject(failure)
  expect(await send(path)).toMatchObject(failure)
})

// The bytes of a response besides its body.
const frame = JSON.stringify({ statusCode: 200, body: '' }).length

test('a response above 6,291,556 bytes is a failure of the function', async () => {
  const most = 6_291_556 - frame
  const { status, body } = await send(`/large?size=${most}`)
  expect([status, body.length]).toEqual([200, most])
  expect(await send(`/large?size=${most + 1}`)).toMatchObject(failure)
})

test.each([
  ['ü', 'that of its UTF-8 bytes'],
  ['"', 'that of its escaped form'],
])('the size of a response of %s is %s', async letter => {
  const half = Math.floor((6_291_556 - frame) / 2)
  const large = (size: number) => send(`/large?size=${size}&letter=${encodeURIComponent(letter)}`)
  expect(await large(half)).toMatchObject({ status: 200, body: letter.repeat(half) })
  expect(await large(half + 1)).toMatchObject(failure)
})

test('a body above 10 MB is refused by the API, one above 6 MB because no function accepts it', async () => {
  const tooLarge = { status: 413, body: '{"message":"Request Entity Too Large"}' }
  expect(await send('/size', json, 'x'.repeat(5 * megabyte))).toMatchObject({ status: 200, body: String(5 * megabyte) })
  expect(await send('/size', json, 'x'.repeat(7 * megabyte))).toMatchObject(tooLarge)
  expect(await send('/size', json, 'x'.repeat(11 * megabyte))).toMatchObject(tooLarge)
})

test('the size of a body is that of its bytes in the event, escaping included', async () => {
  for (const letter of ['ü', '"']) {
    const fits = letter.repeat(3 * megabyte - 1000)
    expect(await send('/size', json, fits)).toMatchObject({ status: 200, body: String(fits.length) })
    expect(await send('/size', json, letter.repeat(3 * megabyte))).toMatchObject({ status: 413 })
  }
})

test('headers above 10,240 bytes are refused', async () => {
  expect(await send('/size', { headers: { 'x-long': 'x'.repeat(10_000) } })).toMatchObject({ status: 200 })
  for (const length of [10_300, 70_000]) {
    expect(await send('/size', { headers: { 'x-long': 'x'.repeat(length) } })).toMatchObject({ status: 431 })
  }
})

test('requests beyond the number of instances wait for one', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => send('/thread')))
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(new Set(replies.map(({ body }) => body)).size).toBe(2)
})
