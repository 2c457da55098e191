import { edgeHeader, sourceOf, viewerHeader } from '../../shared/http/request.ts'
import { captureLog } from '../support/captured-log.ts'
import { call, good, json, openRoute, publicToy, serve } from '../support/serve-harness.ts'

const { texts: written } = captureLog()

const key = 'R4nd0m'.repeat(10)
const gateway = '192.0.2.1'

type Headers = Record<string, string | undefined>

const sourceWith = (headers: Headers): string =>
  sourceOf({ headers, requestContext: { http: { sourceIp: gateway } } } as Parameters<typeof sourceOf>[0])

const throughEdge = (viewer: string | undefined): string => sourceWith({ [edgeHeader]: key, [viewerHeader]: viewer })

const forged = { [viewerHeader]: '198.51.100.7:1234', 'x-forwarded-for': '198.51.100.7', 'x-real-ip': '198.51.100.7' }

afterEach(() => {
  delete process.env.FRONT_KEY
})

test('the names of the headers are those of CloudFront and the gateway', () => {
  expect([edgeHeader, viewerHeader]).toEqual(['x-weinkontor-front', 'cloudfront-viewer-address'])
})

describe('behind an edge', () => {
  beforeEach(() => {
    process.env.FRONT_KEY = key
  })

  test.each([
    ['198.51.100.7:46532', '198.51.100.7'],
    ['198.51.100.7:1', '198.51.100.7'],
    ['2001:0db8:85a3:0000:0000:8a2e:0370:7334:443', '2001:db8:85a3:0::/64'],
    ['2600:300:f:abcd::9:9985', '2600:300:f:abcd::/64'],
    ['2001:db8::1:443', '2001:db8:0:0::/64'],
    ['::1:443', '0:0:0:0::/64'],
    ['1:2:3:4:5::1:443', '1:2:3:4::/64'],
    ['1::2:3:4:5:6:7:443', '1:0:2:3::/64'],
    ['2001:db8:1:2:3:4:5:::443', '2001:db8:1:2::/64'],
  ])('the caller at %s counts as %s', (viewer, source) => {
    expect(throughEdge(viewer)).toBe(source)
  })

  test('addresses of one IPv6 network count as one, those of another as another', () => {
    expect(throughEdge('2001:db8:1:2:a:b:c:d:1')).toBe(throughEdge('2001:DB8:1:2::9:65535'))
    expect(throughEdge('2001:db8:1:3::9:443')).not.toBe(throughEdge('2001:db8:1:2::9:443'))
  })

  test.each([
    undefined,
    '',
    '198.51.100.7',
    '198.51.100.7:',
    '198.51.100.7:123456',
    ' 198.51.100.7:80',
    '198.51.100.7:80, 198.51.100.8:80',
    '198.51.100:80',
    'evil.example:80',
    '::ffff:198.51.100.7:80',
    'fe80::1%eth0:80',
    '[2001:db8::1]:443',
    '198.51.100.7:80x',
  ])('if the edge sends no address (%j), the gateway’s is used', viewer => {
    expect(throughEdge(viewer)).toBe(gateway)
  })

  test.each<[string, Headers]>([
    ['no key', {}],
    ['an empty one', { [edgeHeader]: '' }],
    ['another one', { [edgeHeader]: 'x'.repeat(key.length) }],
    ['a part of it', { [edgeHeader]: key.slice(0, -1) }],
    ['more than it', { [edgeHeader]: `${key}x` }],
    ['it twice', { [edgeHeader]: `${key},${key}` }],
    ['it in capitals', { [edgeHeader]: key.toUpperCase() }],
    ['it in another header', { 'x-weinkontor': key }],
  ])('a caller that sends %s cannot choose its address', (_, shown) => {
    expect(sourceWith({ ...forged, ...shown })).toBe(gateway)
  })

  test('headers other than CloudFront’s are ignored', () => {
    const { [viewerHeader]: _, ...others } = forged
    expect(sourceWith({ ...others, [edgeHeader]: key })).toBe(gateway)
  })
})

test.each([undefined, ''])('without an edge (%j) no caller can choose its address by headers', environment => {
  if (environment !== undefined) process.env.FRONT_KEY = environment
  for (const shown of [undefined, '', 'undefined', key])
    expect(sourceWith({ ...forged, [edgeHeader]: shown })).toBe(gateway)
})

test('an open route gets the address; the log contains neither the address nor the key', async () => {
  process.env.FRONT_KEY = key
  const telling = serve(openRoute, async ({ sourceIp }) => ({ id: 1, name: sourceIp }))
  const failing = serve(openRoute, () => Promise.reject(new Error('it failed')))
  const headers = { ...good.headers, [edgeHeader]: key, [viewerHeader]: '198.51.100.7:46532' }
  expect(json(await call(telling, { ...good, headers })).data).toEqual({ id: 1, name: '198.51.100.7' })
  await call(failing, { ...good, headers })
  await call(publicToy, { ...good, headers })
  expect(written).toHaveLength(4)
  for (const secret of [key, '198.51.100.7']) expect(written.join()).not.toContain(secret)
})
