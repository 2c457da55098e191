import { preferredEncoding } from '../../shared/platform/cache.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['BR ; Q=1.0', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0.1, gzip;q=0', 'br'],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=often', undefined],
  ['', undefined],
  [undefined, undefined],
])('a client that accepts %s receives %s', (accepted, encoding) => {
  expect(preferredEncoding(accepted, ['br', 'gzip'])).toBe(encoding)
})
