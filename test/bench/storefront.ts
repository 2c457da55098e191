import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { median, printTable } from './median.ts'

// Measures every page of a shop before its own requests: calls, requests to the table, milliseconds, with the demo
// cellar of 1,007 wines and functions that are warm; and a picture's first and second request.

const rounds = Number(process.env.ROUNDS ?? 20)

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bench-'))
const twin = await startTwinProcess(folder, { environment: { TIMERS: 'no' } })
// The harness uses the twin of this folder.
process.env.TEST_TWIN = folder
const { call } = await import('../support/harness.ts')
const { authid, token: apiToken } = credentialsOf('elbufer')
const { token } = (await call('/service/login', { authid, token: apiToken })).json
const ask = async (path: string, body: object = {}) =>
  (await call(path, { filter: { shop: true }, inshop: true, ...body }, { token })).json
const basket = (await ask('/service/baskets/add')).data.uuid

const calls: readonly [path: string, body: object][] = [
  ['/service/check/login', {}],
  ['/service/baskets/get', { uuid: basket }],
  ['/service/wines/getAll', { language: 'de', cluster: ['type', 'taste_id', 'vintage', 'grapetypeIds'] }],
  ['/service/categories/getAll', {}],
  ['/service/customers/getMy', {}],
  ['/service/customers/availablePayments', {}],
]
const page = async (): Promise<void> => {
  for (const [path, body] of calls) await ask(path, body)
  await call('/localization/de', {}, { method: 'GET' })
}

const tableRequests = async (): Promise<Record<string, Record<string, number>>> =>
  (await (await fetch(twin.connection.requests)).json()) as Record<string, Record<string, number>>
await page()
await page()
const before = await tableRequests()
const times: number[] = []
for (let n = 0; n < rounds; n++) {
  const start = performance.now()
  await page()
  times.push(performance.now() - start)
}
const after = await tableRequests()
const counted = Object.entries(after).flatMap(([name, operations]) => {
  const counts = Object.entries(operations)
    .map(([operation, count]) => [operation, (count - (before[name]?.[operation] ?? 0)) / rounds] as const)
    .filter(([, count]) => count > 0)
  return counts.length > 0 ? [[name, counts.map(([operation, count]) => `${operation} ${count}`).join(', ')]] : []
})

const fetched = async (path: string): Promise<number> => {
  const start = performance.now()
  await (await fetch(twin.connection.url + path)).arrayBuffer()
  return performance.now() - start
}

const pictures: [number, number][] = []
const wines: { image: string }[] = (await ask('/service/wines/getAll', { pageSize: 100 })).wines
await fetched(`${wines[99]?.image}?height=300`)
for (const { image } of wines.slice(0, rounds)) {
  const path = `${image}?height=300`
  pictures.push([await fetched(path), await fetched(path)])
}
await twin.stop()
await rm(folder, { recursive: true, force: true })
printTable([['requests to the table a page', ''], ...counted.map(([name = '', counts = '']) => [name, counts])])
process.stdout.write(
  `a page's common calls: median ${median(times).toFixed(1)} ms, fastest ${Math.min(...times).toFixed(1)} ms\n`,
)
const [first, second] = [median(pictures.map(([one]) => one)), median(pictures.map(([, two]) => two))]
process.stdout.write(
  `a picture 300 high: first ${first.toFixed(1)} ms, again ${second.toFixed(1)} ms (1 : ${(second / first).toFixed(2)})\n`,
)
