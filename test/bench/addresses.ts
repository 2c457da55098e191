import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { changeLimits } from '../../lib/tool/quotas.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { median, printTable } from './median.ts'

// Measures a whole request on this machine: gateway, worker, session, validation, one read of the table. A bare server
// answers as many bytes without any work, so that the ratio is meaningful on any machine.

const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS ?? 3)

type Target = { url: string; headers: Record<string, string>; body: string }

const post = async ({ url, headers, body }: Target): Promise<Response> => fetch(url, { method: 'POST', headers, body })

const json = { 'content-type': 'application/json' }

const service = async (base: string): Promise<Target> => {
  const account = await createMerchant({ name: 'Messkellerei' })
  // The bench sends more requests than the default quota allows.
  await changeLimits(merchantIdOf(account.id), { requests: 1_000_000, sessions: 1_000_000_000 })
  const { token: apiToken } = await issueToken(account, 'bench')
  const call = async (path: string, body: object, headers: Record<string, string> = json) =>
    (await post({ url: `${base}/service/${path}`, headers, body: JSON.stringify(body) })).json() as Promise<{
      token: string
      data: { id: number }
    }>
  const { token } = await call('login', { authid: account.authid, token: apiToken })
  const headers = { ...json, authorization: `Bearer ${token}` }
  const home = { address: 'Am Maß 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Messkellerei' }
  const { data } = await call('addresses/add', { data: home }, headers)
  return { url: `${base}/service/addresses/get`, headers, body: JSON.stringify({ id: data.id }) }
}

const bareServer = `
  const body = process.env.ANSWER
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, headers).end(body))
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

const startBare = async (answer: string) => {
  const env = { ...process.env, ANSWER: answer }
  const child = spawn(process.execPath, ['-e', bareServer], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>(done => createInterface(child.stdout).once('line', done))
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() }
}

const measure = async (target: Target, duration: number) => {
  const { requests, latency, non2xx, errors } = await autocannon({
    ...target,
    method: 'POST',
    connections: 10,
    duration,
  })
  if (non2xx + errors > 0) throw new Error(`${target.url}: ${non2xx} refusals, ${errors} errors`)
  return { rate: requests.average, p50: latency.p50, p99: latency.p99 }
}

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bench-'))
const twin = await startTwinProcess(folder)
actAsOperator(twin.connection)
const real = await service(twin.connection.url)
const answer = await (await post(real)).text()
const bare = await startBare(answer)
const constant = { ...real, url: bare.url }

const results: { name: string; runs: Awaited<ReturnType<typeof measure>>[]; target: Target }[] = [
  { name: 'addresses/get', runs: [], target: real },
  { name: 'bare node:http', runs: [], target: constant },
]
for (const { target } of results) await measure(target, 1)
// In turns, so that other load of the machine affects both equally.
for (let n = 0; n < rounds; n++) for (const { runs, target } of results) runs.push(await measure(target, seconds))

const of = (runs: (typeof results)[number]['runs'], what: 'rate' | 'p50' | 'p99') => median(runs.map(run => run[what]))
const [served = 0, bound = 1] = results.map(({ runs }) => of(runs, 'rate'))
process.stdout.write(
  `${answer.length} characters, 10 connections, median of ${rounds} runs of ${seconds} s, turn by turn\n`,
)
printTable([
  ['', 'requests/s', 'p50 ms', 'p99 ms'],
  ...results.map(({ name, runs }) => [
    name,
    of(runs, 'rate').toFixed(0),
    String(of(runs, 'p50')),
    String(of(runs, 'p99')),
  ]),
])
process.stdout.write(`ratio ${(served / bound).toFixed(3)}\n`)
bare.stop()
await twin.stop()
await rm(folder, { recursive: true, force: true })
