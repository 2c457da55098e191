import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import type { TwinConnection } from '../../lib/twin/twin-file.ts'
import type { Address } from '../../shared/contract/records/address.ts'
import type { Order } from '../../shared/contract/records/order.ts'
import { key, merchantIdOf } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { eventually } from '../support/eventually.ts'
import type { Initial } from '../support/invariants.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const kills = Number(process.env.KILLS ?? 1)
const writers = 4

const folder = temporaryFolder('kills')

let running: TwinProcess | undefined

afterAll(async () => {
  await running?.stop('SIGKILL')
})

const start = async (): Promise<TwinConnection> => {
  running = await startTwinProcess(folder, { environment: { DEMO: 'no' } })
  return running.connection
}

/** The processes whose command line names the data folder. */
const processesOnData = (): string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter(line => line.includes(folder))

type Call = (route: string, body: object) => Promise<{ info: string; data: never; pages: { total: number } }>

const callerOf =
  (url: string, token: string): Call =>
  async (route, body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/service/${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Awaited<ReturnType<Call>>
  }

const home = { address: 'Kellergasse 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Zum Korken' }
const riesling = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1008, gross: '9.50', taxrate: 19 }

const bottles = 1_000_000

const run = promisify(execFile)

/** Returns the violations in a merchant's data, by the invariant checker. */
const violationsOf = async (merchant: number, initial: Initial): Promise<string[]> => {
  const words = ['test/support/check-data.ts', folder, String(merchant), JSON.stringify(initial)]
  const { stdout } = await run(process.execPath, words, { env: childEnvironment({}) })
  return JSON.parse(stdout)
}

/** Makes a merchant with a session, a wine that is counted, and an address to send it to. */
const furnish = async (connection: TwinConnection) => {
  actAsOperator(connection)
  const account = await createMerchant({ name: 'Kellerei am Abgrund' })
  const { token: apiToken } = await issueToken(account, 'test')
  const signIn = { authid: account.authid, token: apiToken }
  const { token } = (await callerOf(connection.url, '')('login', signIn)) as unknown as { token: string }
  const call = callerOf(connection.url, token)
  const wine = (await call('wines/add', { data: riesling })).data as { id: number }
  const address = (await call('addresses/add', { data: home })).data as Address
  await putItem(key('stock', { merchant: merchantIdOf(account.id), type: 'wine', id: wine.id }), { quantity: bottles })
  const items = [{ item_type: 'wine', item_id: wine.id, quantity: 2 }]
  const order = { billing_type: 'address', billing_id: address.id, payment_type: 'invoice', items }
  return { token, order, merchant: account.id, initial: { [`wine#${wine.id}`]: bottles } }
}

/** Writes concurrently until the service is gone. Returns all successful responses. */
const write = async <T>(call: Call, route: string, data: object, acknowledged: T[]): Promise<void> => {
  const writer = async () => {
    for (;;) {
      const response = await call(route, { data }).catch(() => undefined)
      if (!response) return
      if (response.info === 'success') acknowledged.push(response.data)
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
}

const allOrders = async (call: Call): Promise<Order[]> => {
  const include = ['client', 'billing', 'delivery', 'items', 'documents']
  const page = (number: number) => call('orders/getAll', { page: number, pageSize: 100, include })
  const first = await page(1)
  const others = Array.from({ length: first.pages.total - 1 }, (_, n) => page(n + 2))
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data as Order[])
}

const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1)
const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

test(
  `no acknowledged write is lost, and no number is skipped, when the service is killed ${kills} times`,
  async () => {
    let connection = await start()
    const { token, order, merchant, initial } = await furnish(connection)
    const addresses: Address[] = []
    const orders: Order[] = []

    for (let n = 0; n < kills; n++) {
      const call = callerOf(connection.url, token)
      const before = orders.length
      const writing = Promise.all([
        write(call, 'addresses/add', home, addresses),
        write(call, 'orders/add', order, orders),
      ])
      await eventually(() => orders.length > before)
      await pause(Math.random() * 500)
      await running?.stop('SIGKILL')
      await writing
      await eventually(() => processesOnData().length === 0)
      expect(processesOnData()).toEqual([])

      connection = await start()
      const readAgain = callerOf(connection.url, token)
      const kept = new Map(((await readAgain('addresses/getAll', {})).data as Address[]).map(one => [one.id, one]))
      expect(addresses.map(({ id }) => kept.get(id))).toEqual(addresses)
      expect(await violationsOf(merchant, initial)).toEqual([])

      const present = await allOrders(readAgain)
      const byId = new Map(present.map(one => [one.id, one]))
      expect(orders.map(({ id }) => byId.get(id))).toEqual(orders)
      expect(inOrder(present.map(({ id }) => id))).toEqual(upTo(present.length))
      const documents = present.flatMap(one => one.documents ?? [])
      const invoices = documents.flatMap(one => one.invoices.map(({ number }) => Number(number.replace('R-', ''))))
      expect(inOrder(invoices)).toEqual(upTo(present.length))
      // Each writer may have had one order under way whose response never came.
      expect(present.length - orders.length).toBeLessThanOrEqual(writers * (n + 1))
    }
  },
  180_000 + kills * 20_000,
)
