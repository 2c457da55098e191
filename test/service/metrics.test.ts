import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { startDynamo } from '../../lib/twin/dynamodb/process.ts'
import { kinds } from '../../shared/contract/route.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { dimensionsOf, type MetricName, metrics, namespace } from '../../shared/platform/log.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import type { MetricsLine as Line } from '../support/captured-log.ts'
import { eventually } from '../support/eventually.ts'
import { newOwnShop } from '../support/own-shop.ts'
import { startRefusingTable } from '../support/refusing-table.ts'
import { invokeOn, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('metrics')
let dynamo: Awaited<ReturnType<typeof startDynamo>>
let table: Awaited<ReturnType<typeof startRefusingTable>>
let twin: TwinProcess

/** The lines of metrics in the log of the twin. */
const lines = async (): Promise<Line[]> =>
  (await readFile(join(folder, 'service.log'), 'utf8'))
    .split('\n')
    .filter(line => line.startsWith('{"_aws"') && line.endsWith('}'))
    .map(line => JSON.parse(line))

const untilWritten = (isRight: (all: Line[]) => boolean) => eventually(lines, isRight)

const ask = async (path: string, body: object = {}, method = 'POST', headers = {}): Promise<number> => {
  const sent = { method, headers: { 'content-type': 'application/json', ...headers } }
  const given = method === 'POST' ? { ...sent, body: JSON.stringify(body) } : sent
  return (await fetch(twin.connection.url + path, given)).status
}

/** Everything happens once that functions measure. */
beforeAll(async () => {
  dynamo = await startDynamo(join(folder, 'own-table.db'))
  table = await startRefusingTable(dynamo.url)
  const environment = { DEMO: 'no', TIMERS: 'no', DYNAMODB_ENDPOINT: table.url }
  twin = await startTwinProcess(folder, { environment })
  actAsOperator(twin.connection)

  // Signs in, adds a wine and an address.
  const shop = await newOwnShop(twin.connection, 'Weingut Gezählt')
  const { merchant } = shop
  table.refuse(1)
  const [decided, failing] = [await shop.place(), await shop.place()]
  await shop.statusOf(decided.data.id)
  await shop.search('riesling')
  expect(await ask('/wines/search', { query: 'riesling' })).toBe(200)
  expect(await ask('/localization/de', {}, 'GET')).toBe(200)
  expect(await ask('/service/login', { authid: 'wk-nobody', token: 'wrong' })).toBe(401)

  await updateItem(key('payment', { merchant, uuid: decided.payment.uuid }), {
    set: { status: 'review' },
    index: taskKey('review', Date.now()),
  })
  await shop.payAt('nowhere', failing)
  expect(await shop.finish(failing)).toBe('payment_provider_error')
  await updateItem(key('payment', { merchant, uuid: failing.payment.uuid }), {
    index: taskKey('due', Date.now() - 1000),
  })
  // Before the job that would start it in the background, and take the payment.
  await invokeOn(twin, 'jobs/sweepMerchant', { merchant })
  await invokeOn(twin, 'jobs/sweep')
  await updateItem(key('order', { merchant, id: failing.data.id }), { set: { doc: 'no order' } })
  expect(await shop.statusOf(failing.data.id).catch(() => 'failed')).toBe('failed')
}, 180_000)

afterAll(async () => {
  await twin?.stop()
  await table?.close()
  await dynamo?.close()
})

/** CloudWatch's names of the metrics of a line: namespace, name, unit, and the values of its dimensions. */
const namesIn = (line: Line): string[] =>
  line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap(dimensions =>
      Metrics.map(({ Name, Unit }) =>
        [Namespace, Name, Unit, ...dimensions.map(one => `${one}=${String(line[one])}`)].join(' '),
      ),
    ),
  )

const writtenName = (name: MetricName, kind = '') =>
  [namespace, name, metrics[name].unit, 'stage=twin', ...(kind ? [`kind=${kind}`] : [])].join(' ')

test.each(Object.keys(metrics) as MetricName[])('%s is written, as it is declared', async name => {
  const wanted = new RegExp(`^${writtenName(name)}${dimensionsOf(name).includes('kind') ? ' kind=\\w+' : ''}$`)
  const isWanted = (line: Line) => namesIn(line).some(one => wanted.test(one))
  const found = (await untilWritten(all => all.some(isWanted))).filter(isWanted)
  expect(found.length).toBeGreaterThan(0)
  for (const line of found)
    for (const value of [line[name]].flat()) expect([name, typeof value]).toEqual([name, 'number'])
})

test.each(kinds)('the latency of requests of the kind %s is written', async kind => {
  const all = await untilWritten(all => all.flatMap(namesIn).includes(writtenName('Latency', kind)))
  expect(all.flatMap(namesIn)).toContain(writtenName('Latency', kind))
})

test('each request is one line, with metrics of declared names only', async () => {
  const all = await untilWritten(all => all.some(({ error }) => error === 'credentials_invalid'))
  const logins = all.filter(({ route }) => route === '/service/login')
  expect(logins.map(({ status }) => status)).toEqual([200, 401])
  const names = new Set(all.flatMap(one => one._aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics)))
  for (const { Name } of names) expect(Object.keys(metrics)).toContain(Name)
})

const isOurs = ({ status }: Line): boolean => status === 500

test('the counts match the requests', async () => {
  const all = await untilWritten(all => all.some(isOurs))
  const sum = (name: MetricName) => all.reduce((total, line) => total + Number(line[name] ?? 0), 0)
  const most = (name: MetricName) => Math.max(...all.map(line => Number(line[name] ?? 0)))
  expect([sum('Orders'), sum('Conflicts'), sum('FailedLogins')]).toEqual([2, 1, 1])
  expect([sum('ServerErrors'), sum('ProviderFailures')]).toEqual([1, 1])
  // Two bottles of 9.50 an order.
  expect(sum('Turnover')).toBe(38)
  expect([most('PaymentsInReview'), most('SweepFailures')]).toEqual([1, 1])
  expect(sum('Retries')).toBeGreaterThanOrEqual(1)
})

test('a line contains metrics, their dimensions, and the properties that identify a request', async () => {
  const fields = [
    'route',
    'status',
    'error',
    'because',
    'request_id',
    'gateway_request_id',
    'merchant',
    'user',
    'function',
  ]
  const known = new Set(['_aws', 'stage', 'kind', ...fields, ...Object.keys(metrics)])
  for (const line of await lines()) expect(Object.keys(line).filter(one => !known.has(one))).toEqual([])
})

test('the log has the stack of an internal error, under the id of its request', async () => {
  const { request_id } = (await untilWritten(all => all.some(isOurs))).find(isOurs) as Line
  const written = (await readFile(join(folder, 'service.log'), 'utf8')).split('\n')
  const [failed = '', ...others] = written.filter(line => line.includes(`"request_id":"${request_id}"`))
  expect(others).toEqual([expect.stringContaining('"message":"failed"')])
  expect(failed).toContain('"_aws"')
  expect(JSON.parse(others[0] ?? '')).toMatchObject({ level: 'ERROR', error: { stack: expect.any(String) } })
})
