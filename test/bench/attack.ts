import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { routes } from '../../shared/contract/index.ts'
import { clientHeader } from '../support/client-header.ts'
import { bodiesFor } from '../support/fuzz.ts'
import { startTwinProcess } from '../support/running-twin.ts'

// Sends each route of a twin COUNT requests made from its own schema, right and wrong, up to and beyond every limit.
// Prints the failures, the slowest requests, and the growth of the twin's memory. SEED repeats the requests of a run.

const count = Number(process.env.COUNT ?? 1000)
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const maxBytes = 6 * 1024 * 1024

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-attack-'))
const twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no' } })
process.env.TEST_TWIN = folder
const { newFuzzTarget } = await import('../support/fuzz-target.ts')
const { changeLimits } = await import('../../lib/tool/quotas.ts')
const { known, token, clientToken, merchant } = await newFuzzTarget()
await changeLimits(merchant, { requests: 100_000 })

type Sent = { path: string; status: number; ms: number }
const slowest: Sent[] = []
const faults: string[] = []
const statuses = new Map<number, number>()
const memory: number[] = []

const send = async (path: string, body: unknown): Promise<void> => {
  const start = performance.now()
  const response = await fetch(twin.connection.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...clientHeader(path, clientToken),
    },
    body: JSON.stringify(body),
    redirect: 'manual',
  })
  const text = await response.text()
  const sent = { path, status: response.status, ms: performance.now() - start }
  statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1)
  if (slowest.length < 8 || sent.ms > (slowest.at(-1)?.ms ?? 0)) {
    slowest.push(sent)
    slowest.sort((one, other) => other.ms - one.ms).splice(8)
  }
  if (sent.status >= 500 || Buffer.byteLength(JSON.stringify(text)) > maxBytes)
    faults.push(`${path} ${sent.status} ${JSON.stringify(body).slice(0, 500)}`)
}

const megabytes = (): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(twin.child.pid)])) / 1024

const posted = routes.filter(({ methods, path }) => methods.includes('POST') && !path.endsWith('/logout'))
const step = Math.max(1, Math.min(20, Math.floor(count / 10)))
for (let round = 0; round < count; round += step) {
  for (const { path, body } of posted)
    for (const one of fc.sample(bodiesFor(body, known), { numRuns: step, seed: seed + round })) await send(path, one)
  memory.push(megabytes())
}
await twin.stop()
await rm(folder, { recursive: true, force: true })

/** Growth per sample, by least squares, after all functions are loaded. */
const slopeOf = (samples: readonly number[]): number => {
  const [middle, mean] = [(samples.length - 1) / 2, samples.reduce((sum, one) => sum + one, 0) / samples.length]
  const rise = samples.reduce((sum, one, n) => sum + (n - middle) * (one - mean), 0)
  return rise / samples.reduce((sum, _, n) => sum + (n - middle) ** 2, 0)
}

const total = [...statuses.values()].reduce((sum, one) => sum + one, 0)
const perThousand = (slopeOf(memory.slice(Math.floor(memory.length / 3))) * 1000) / (step * posted.length)
const lines = [
  `seed ${seed}: ${total} requests to ${posted.length} routes`,
  [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', '),
  ...slowest.map(({ path, status, ms }) => `slowest: ${path} ${status} ${ms.toFixed(0)} ms`),
  `memory of the twin: ${memory[0]?.toFixed(0)} MB, at last ${memory.at(-1)?.toFixed(0)} MB; after a third ${perThousand.toFixed(2)} MB per 1,000 requests`,
  ...faults.slice(0, 20),
  `${faults.length} faults`,
]
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
