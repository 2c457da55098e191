import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { merchantScope } from '../../shared/catalogue/search/scopes.ts'
import { loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { renewSnapshot } from '../../shared/catalogue/search/snapshot-writer.ts'
import type { Order } from '../../shared/contract/records/order.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { copyData, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { toolProcess } from '../support/tool.ts'

// The documented restore of a backup, on a service of this file's own.

const [folder, yesterday] = await Promise.all(
  ['service', 'yesterday'].map(name => mkdtemp(join(tmpdir(), `weinkontor-${name}-`))),
)
if (!folder || !yesterday) throw new Error('no folders')
let running: TwinProcess

afterAll(async () => {
  await running.stop('SIGKILL')
  for (const one of [folder, yesterday]) await rm(one, { recursive: true, force: true, maxRetries: 5 })
})

/** With the other form of the policies, under which the orders must be placed as well (domain/leading-keys). */
const start = async () => {
  running = await startTwinProcess(folder, { environment: { DEMO: 'no', LEADING_KEYS: 'together' } })
}

type Answer = { token: string; data: never; totalCount: number }

const post = async (token: string, route: string, body: object): Promise<Answer> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const url = `${running.connection.url}/service/${route}`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as Answer
  expect([route, response.status, answer]).toEqual([route, 200, answer])
  return answer
}

const invoicesOf = ({ documents }: Order): string[] =>
  [documents ?? []].flat().flatMap(({ invoices }) => invoices.map(({ number }) => number))

test('after a restore of the table searches find its wines, and no invoice number is given twice', async () => {
  await start()
  // In a process of its own: this one knows the table of one start only, the second.
  const { out } = await toolProcess(['create', 'Kellerei Rückweg'], folder)
  const said = (what: string): string => RegExp(`^ +${what} +(\\S+)`, 'm').exec(out)?.[1] ?? ''
  const { token } = await post('', 'login', { authid: said('authid'), token: said('token') })
  const wine = { type: 'white', countrycode: 'de', region: 1008, gross: '9.50', taxrate: 19 }
  const add = async (name: string) =>
    (await post(token, 'wines/add', { data: { ...wine, name } })).data as { id: number }
  const found = async (anywhere: string) =>
    (await post(token, 'wines/search', { query: anywhere })).data as { id: number; name: string }[]
  const namesOf = async (text: string) => (await found(text)).map(({ name }) => name)
  const { id } = await add('Riesling von gestern')
  const home = { address: 'Kellergasse 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Zum Korken' }
  const { id: billing_id } = (await post(token, 'addresses/add', { data: home })).data as { id: number }
  const items = [{ item_type: 'wine', item_id: id, quantity: 1 }]
  const order = async () => {
    const data = { billing_type: 'address', billing_id, payment_type: 'invoice', items }
    const placed = (await post(token, 'orders/add', { data })).data as Order
    return (await post(token, 'orders/get', { id: placed.id, include: ['documents'] })).data as Order
  }
  expect(invoicesOf(await order())).toEqual(['R-1'])
  await running.stop()
  await copyData(folder, yesterday)

  // Of all this nothing is left but its snapshot, and the invoices that went out.
  await start()
  await post(token, 'wines/edit', { id, data: { name: 'Silvaner von heute' } })
  // So many that a snapshot is worth it.
  for (let n = 0; n < 25; n++) await add(`Grauburgunder ${n}`)
  expect([invoicesOf(await order()), invoicesOf(await order())]).toEqual([['R-2'], ['R-3']])
  expect(await namesOf('von heute')).toEqual(['Silvaner von heute'])
  actAsOperator(running.connection)
  const scope = merchantScope(merchantIdOf(said('id')))
  // Unless the job was quicker.
  await renewSnapshot(scope, { ms: 0 })
  expect((await loadSnapshot(scope)).index.size).toBe(26)
  await running.stop()
  await rm(join(yesterday, 'files'), { recursive: true, force: true })
  for (const name of ['table.db', 'table.db-wal', 'table.db-shm']) await rm(join(folder, name), { force: true })
  await copyData(yesterday, folder)

  await start()
  expect(await namesOf('von')).toEqual(['Riesling von gestern'])
  expect(await namesOf('Grauburgunder')).toEqual([])
  const changed = await toolProcess(['numbers', 'Kellerei Rückweg', '--invoices', '3'], folder)
  expect(changed).toMatchObject({ code: 0, out: expect.stringMatching(/invoice\s+R-\{n\}\s+4$/m) })
  expect(invoicesOf(await order())).toEqual(['R-4'])
  await add('Grauburgunder danach')
  expect(await namesOf('Grauburgunder')).toEqual(['Grauburgunder danach'])
})
