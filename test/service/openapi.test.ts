import { guides } from '../../shared/reference/guides.ts'
import { call, twin } from '../support/harness.ts'

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  call('/openapi.json', undefined, { method, headers })

test('the document is public, with the URL of the request', async () => {
  const { status, headers, json } = await get({ host: 'elsewhere.example' })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(json.servers).toEqual([{ url: twin.url.replace('127.0.0.1', 'localhost') }])
  expect(json.tags[0].name).toBe(`Guide: ${guides[0]?.title}`)
})

test('a client with the present document gets 304', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[\w-]{40,}"$/)
  const again = await get({ 'if-none-match': etag })
  expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([304, '', 'public, max-age=300'])
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
})

test('HEAD returns the headers only, and other methods than GET are refused', async () => {
  const { status, text, headers } = await get({ 'accept-encoding': 'identity' }, 'HEAD')
  expect([status, text]).toEqual([200, ''])
  expect(Number(headers.get('content-length'))).toBeGreaterThan(100_000)
  expect((await call('/openapi.json')).status).toBe(405)
})
