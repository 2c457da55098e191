import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTwinProcess } from '../support/running-twin.ts'
import { printTable } from './median.ts'

// Measures a valid sign-in of a client, alone and while a visitor sends COUNT invalid ones at once: with one mail, and
// each with another mail. The client and another merchant's client sign in after the invalid requests were sent.

const count = Number(process.env.COUNT ?? 60)

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-sign-ins-'))
const twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no', INSTANCES: '4' } })
process.env.TEST_TWIN = folder
const { newShop } = await import('../support/harness.ts')

const newBuyer = async (name: string) => {
  const shop = await newShop(name)
  const person = { mail: 'ada@example.org', password: 'right' }
  const { json } = await shop.call('clients/register', { data: person })
  await shop.call('clients/activate', { hash: json.data.lostpassword_hash })
  const signIn = async (body: object) => {
    const start = performance.now()
    const { status, json } = await shop.call('clients/login', { ...person, ...body })
    return { outcome: status === 200 ? 'signed in' : String(json.error), ms: performance.now() - start }
  }
  await signIn({ caller: 'known' })
  return signIn
}

const shown = ({ outcome, ms }: { outcome: string; ms: number }): string => `${ms.toFixed(0)} ms, ${outcome}`

const [signIn, elsewhere] = [await newBuyer('Laut'), await newBuyer('Still')]
const table = [['wrong ones', 'their outcomes', 'all after', 'client, known', 'client, unknown', 'other merchant’s']]
const floods = { none: [], 'one mail': Array.from({ length: count }, () => ({})) } as Record<string, object[]>
floods['many mails'] = Array.from({ length: count }, (_, n) => ({ mail: `niemand${n}@example.org` }))
for (const [name, flood] of Object.entries(floods)) {
  const start = performance.now()
  const wrong = Promise.all(flood.map(body => signIn({ password: 'wrong', ...body })))
  const right = [signIn({ caller: 'known' }), signIn({ caller: 'unknown' }), elsewhere({})]
  const outcomes = Map.groupBy(await wrong, ({ outcome }) => outcome)
  const all = `${(performance.now() - start).toFixed(0)} ms`
  const counts = [...outcomes].map(([outcome, { length }]) => `${length} × ${outcome}`).join(', ')
  table.push([name, counts, all, ...(await Promise.all(right)).map(shown)])
}
printTable(table)
await twin.stop()
await rm(folder, { recursive: true, force: true })
