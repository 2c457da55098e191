import { Problem } from '../../shared/contract/errors.ts'
import { kinds, responseHeaders, route, routeKindOf } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { count, dimensionsOf, type MetricName, metrics, withMetrics, writeMetrics } from '../../shared/platform/log.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { captureLog } from '../support/captured-log.ts'
import { both, call, echo, good, openToy, serve, throwing } from '../support/serve-harness.ts'

const { texts: written, lines } = captureLog()
beforeEach(() => {
  process.env.STAGE = 'dev'
})

const failures = ['ClientErrors', 'ServerErrors', 'ProviderFailures']

test('the metrics are one line, with a directive for each set of dimensions', () => {
  count('Orders')
  count('Latency', 12)
  count('Turnover', 35.7)
  writeMetrics({ kind: 'checkout' })
  expect(written.map(text => text.split('\n').length)).toEqual([2])
  expect(lines()).toEqual([
    {
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'Weinkontor',
            Dimensions: [['stage']],
            Metrics: [
              { Name: 'Orders', Unit: 'Count' },
              { Name: 'Turnover', Unit: 'None' },
            ],
          },
          {
            Namespace: 'Weinkontor',
            Dimensions: [['stage', 'kind']],
            Metrics: [{ Name: 'Latency', Unit: 'Milliseconds' }],
          },
        ],
      },
      ...{ stage: 'dev', kind: 'checkout', Orders: 1, Latency: 12, Turnover: 35.7 },
    },
  ])
})

test('counts are added up, times and sizes are listed, at most a hundred; a count of 0 is written', () => {
  for (const value of [1, 2, 0]) count('Retries', value)
  for (let n = 0; n < 1000; n++) count('IndexRefreshTime', n)
  count('PaymentsInReview', 0)
  writeMetrics()
  expect(lines()).toMatchObject([
    { Retries: 3, IndexRefreshTime: Array.from({ length: 100 }, (_, n) => n), PaymentsInReview: 0 },
  ])
})

test('each line starts empty, and without metrics none is written', () => {
  count('Retries')
  writeMetrics()
  writeMetrics()
  expect(written).toHaveLength(1)
})

test('outside Lambda no metric is written or collected', () => {
  delete process.env.AWS_LAMBDA_FUNCTION_NAME
  count('Orders')
  writeMetrics()
  process.env.AWS_LAMBDA_FUNCTION_NAME = 'toy'
  writeMetrics()
  expect(written).toEqual([])
})

test('a request is one line, with its route, status and error; an internal error is a line besides', async () => {
  await call(openToy, good)
  await call(openToy, { body: '{' })
  await call(throwing(new Error('broken')), good)
  const [served, refused, failed, stack] = lines()
  const said = { kind: 'read', route: '/toy', Latency: expect.any(Number) }
  expect(served).toMatchObject({ ...said, status: 200 })
  expect(refused).toMatchObject({ ...said, status: 400, error: 'invalid_json', ClientErrors: 1 })
  expect(failed).toMatchObject({ ...said, status: 500, error: 'internal_error', ServerErrors: 1 })
  expect(stack).toMatchObject({ level: 'ERROR', message: 'failed', request_id: failed?.request_id })
  for (const name of ['error', ...failures]) expect(served).not.toHaveProperty(name)
  expect(written).toHaveLength(4)
})

test.each([
  ['payment_provider_error', 502, 'ProviderFailures'],
  ['payment_provider_timeout', 504, 'ProviderFailures'],
  ['internal_error', 500, 'ServerErrors'],
  ['temporarily_unavailable', 503, undefined],
  ['quota_exceeded', 422, 'ClientErrors'],
] as const)('a request that ends with %s, %d, counts among %s only', async (error, status, name) => {
  await call(throwing(new Problem(error)), good)
  const [line = {}] = lines()
  expect(line).toMatchObject({ status, error })
  expect(failures.filter(one => one in line)).toEqual(name ? [name] : [])
})

test('a request whose time is over counts as no internal error', async () => {
  await call(throwing(new Unavailable('busy')), good, 0)
  expect(lines()).toMatchObject([{ status: 503, error: 'temporarily_unavailable' }])
  expect(written.join()).not.toContain('ServerErrors')
})

test('a 304 answer and one to HEAD are lines without failures', async () => {
  const kept = serve(route({ ...both, level: 'public', headers: responseHeaders }), echo)
  const query = 'id=7'
  const { headers } = await call(kept, { method: 'GET', query })
  await call(kept, { method: 'GET', query, headers: { 'if-none-match': String(headers?.etag) } })
  await call(kept, { method: 'HEAD', query })
  expect(lines().map(({ status }) => status)).toEqual([200, 304, 200])
  for (const name of failures) expect(written.join()).not.toContain(name)
})

test('a job is one line, also if it fails', async () => {
  const job = withMetrics(async (failures: number) => {
    count('SweepFailures', failures)
    if (failures > 0) throw new Error('failed')
  })
  await job(0)
  await expect(job(2)).rejects.toThrow('failed')
  expect(lines()).toMatchObject([
    { function: 'toy', SweepFailures: 0 },
    { function: 'toy', SweepFailures: 2 },
  ])
})

test('a metric has the dimension stage, some have the kind of route, and none has another', () => {
  const byKind = Object.keys(metrics).filter(name => dimensionsOf(name as MetricName).length > 1)
  expect(byKind).toEqual(['Latency', 'ClientErrors'])
  expect(dimensionsOf('Latency')).toEqual(['stage', 'kind'])
  expect(dimensionsOf('Orders')).toEqual(['stage'])
})

test('each route has the kind that fits its work', () => {
  const byKind = Object.groupBy(routes, routeKindOf)
  const names = (kind: (typeof kinds)[number]) => byKind[kind]?.map(({ path }) => path.replace('/service/', '')) ?? []
  expect(names('search').toSorted()).toEqual([
    'categories/getWines',
    'categories/getWithWines',
    'wines/check',
    'wines/getAll',
    'wines/getByCategory',
    'wines/getByType',
    'wines/search',
  ])
  expect(names('checkout').toSorted()).toEqual([
    '/payments/paypal/webhook',
    'checkouts/cancel',
    'orders/add',
    'orders/advance',
    'orders/checkout/cancel',
    'orders/checkout/finish',
    'orders/credit',
    'payments/decide',
    'payments/execute',
  ])
  expect(names('public').toSorted()).toEqual([
    '/elabels/get',
    '/wines/getAll',
    '/wines/getFilters',
    '/wines/getPublic',
    '/wines/search',
  ])
  expect(names('file').toSorted()).toEqual([
    '/Images/{kind}/{id}/{file}',
    '/PDF/{id}/{file}',
    '/docs',
    '/docs-assets/{file}',
    '/e/{path+}',
    '/localization/{path+}',
    '/openapi.json',
    '/weinkontor-client.tgz',
    '/wines/downloadExpertise',
    'files/commit',
    'orders/getDocument',
    'wines/getExpertise',
  ])
  expect(names('write')).toEqual(expect.arrayContaining(['login', 'addresses/add', 'baskets/addItem', 'orders/touch']))
  expect(names('read')).toEqual(expect.arrayContaining(['check/login', 'addresses/get', 'orders/getAll', 'wines/get']))
  expect(Object.keys(byKind).toSorted()).toEqual(kinds.toSorted())
})
