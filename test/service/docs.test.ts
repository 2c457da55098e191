import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { guides } from '../../shared/reference/guides.ts'
import { type Answer, call, requestsOf, twin } from '../support/harness.ts'

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  call(path, undefined, { method, headers })

type Bytes = { status: number; headers: Record<string, unknown>; body: Buffer }

/** An answer as it came over the wire: fetch would undo its encoding. */
const bytes = (path: string, headers: Record<string, string> = {}): Promise<Bytes> =>
  new Promise((done, failed) => {
    const asked = request(twin.url + path, { headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    asked.on('error', failed)
    asked.end()
  })

const page = await get('/docs')
const assets = [...page.text.matchAll(/(?:src|href)="(\/docs-assets\/[^"]*)"/g)].map(([, path = '']) => path)
const pathOf = (file: string): string => assets.find(path => path.includes(`/${file}?`)) ?? ''
const directives = (policy: unknown): Map<string, string> =>
  new Map(
    String(policy)
      .split('; ')
      .map(one => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  )

describe('the reference page', () => {
  test('is HTML that may load only files of the service, without inline scripts', () => {
    expect(page.status).toBe(200)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    const policy = directives(page.headers.get('content-security-policy'))
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('connect-src')).toBe("'self'")
    const sources = [...policy.values()].flatMap(value => value.split(' '))
    const known = ["'none'", "'self'", "'unsafe-inline'", 'data:', 'blob:']
    expect(sources.filter(source => !known.includes(source))).toEqual([])
    const inline = [...policy].filter(([, value]) => value.includes('unsafe')).map(([name]) => name)
    expect(inline).toEqual(['style-src'])
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|https?:\/\//)
  })

  test('has a title, a description, a favicon, and both colour schemes', () => {
    expect(page.text).toMatch(/<title>[^<]+<\/title>/)
    expect(page.text).toMatch(/<meta name="description" content="[^"]{50,}">/)
    expect(page.text).toMatch(/<link rel="icon" [^>]*href="\/docs-assets\/favicon\.svg\?v=/)
    expect(page.text).toContain('<meta name="color-scheme" content="light dark">')
  })

  test('without JavaScript shows the URL of the document and the guides', () => {
    const [, plain = ''] = /<noscript>(.*)<\/noscript>/s.exec(page.text) ?? []
    expect(plain).toContain('href="/openapi.json"')
    const titles = [...plain.matchAll(/<li>(.*)<\/li>/g)].map(([, title]) => title?.replaceAll('&#39;', "'"))
    expect(titles).toEqual(guides.map(({ title }) => title))
  })

  test('is not sent again to a client that has it', async () => {
    const etag = page.headers.get('etag') ?? ''
    const { status, text, headers } = await get('/docs', { 'if-none-match': etag })
    expect([status, text, headers.get('etag')]).toEqual([304, '', etag])
    expect(headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
    expect((await get('/docs', { 'if-none-match': '"another"' })).status).toBe(200)
  })
})

describe('the files of the reference page', () => {
  test('have names that change with their contents, and may be cached for ever', async () => {
    expect(assets).toHaveLength(5)
    for (const path of assets) {
      const { status, headers, body } = await bytes(path)
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
      const digest = createHash('sha256').update(body).digest('base64url').slice(0, 16)
      expect([path, headers.etag]).toEqual([path, `"${digest}"`])
      expect(path).toContain(`?v=${digest}`)
    }
  })

  test.each(['', '?v=', '?v=older', '?v=__proto__'])('with the query “%s” are not cached for long', async query => {
    const { status, headers } = await bytes(`/docs-assets/page.js${query}`)
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300'])
  })

  test.each([
    ['scalar.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
    ['favicon.svg', 'image/svg+xml'],
  ])('include %s as %s', async (file, type) => {
    const { headers } = await bytes(pathOf(file))
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual([type, 'nosniff'])
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ] as const)('are sent to a client that accepts “%s” as %s, each encoding with its own ETag', async (accepted, encoding) => {
    const plain = await bytes(pathOf('scalar.js'))
    const { status, headers, body } = await bytes(pathOf('scalar.js'), { 'accept-encoding': accepted })
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'accept-encoding'])
    const decoded = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    expect(decoded.equals(plain.body)).toBe(true)
    expect(headers.etag === plain.headers.etag).toBe(encoding === undefined)
    if (encoding) expect(body.length * 3).toBeLessThan(plain.body.length)
    const again = await bytes(pathOf('scalar.js'), {
      'accept-encoding': accepted,
      'if-none-match': String(headers.etag),
    })
    expect([again.status, again.body.length, again.headers.vary]).toEqual([304, 0, 'accept-encoding'])
    const other = await bytes(pathOf('scalar.js'), { 'accept-encoding': accepted, 'if-none-match': '"other"' })
    expect(other.status).toBe(200)
  })

  test.each([
    'nothing.js',
    'index.html',
    'digests.json',
    'scalar.js.br',
    '__proto__',
    '..%5Cindex.mjs',
    '%00',
  ])('do not include %s', async file => {
    const { status, json, headers } = await get(`/docs-assets/${file}`)
    expect([status, json.error, headers.get('cache-control')]).toEqual([404, 'asset_not_found', 'no-store'])
  })

  test('need no request to the table', async () => {
    expect([await requestsOf('/docs'), await requestsOf('/docs-assets/{file}')]).toEqual([{}, {}])
  })
})

test('HEAD returns the headers of page and files without the bytes', async () => {
  for (const path of ['/docs', pathOf('scalar.js')]) {
    const { status, text, headers } = await get(path, {}, 'HEAD')
    expect([path, status, text, headers.has('etag')]).toEqual([path, 200, '', true])
  }
})

test('the typed client is a gzip file that npm can install, and is not sent again to a client that has it', async () => {
  const path = '/weinkontor-client.tgz'
  const { status, headers, body } = await bytes(path, { 'accept-encoding': 'gzip' })
  expect([status, headers['content-type'], headers['content-encoding'], headers['cache-control']]).toEqual([
    ...[200, 'application/gzip', undefined],
    'public, max-age=300',
  ])
  expect(headers.etag).toBe(`"${createHash('sha256').update(body).digest('base64url')}"`)
  const files = gunzipSync(body)
  for (const name of ['package.json', 'dist/index.js', 'dist/index.d.ts', 'README.md'])
    expect([name, files.includes(`package/${name}\0`)]).toEqual([name, true])
  const again = await bytes(path, { 'if-none-match': String(headers.etag) })
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
})
