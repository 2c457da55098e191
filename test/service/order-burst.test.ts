import { actAsOperator } from '../../lib/tool/connect.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { leaderKey } from '../../shared/orders/numbering/queue.ts'
import { key, lastNumber, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, queryEntries } from '../../shared/platform/table/table.ts'
import { violations } from '../support/invariants.ts'
import { counted } from '../support/partitions.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { repetitions } from '../support/sampling.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Many instances, as a sale starts them on AWS, on a twin of its own. npm run test:long has 300 orders at 64 of them.
const burst = repetitions('BURST', 16)
const instances = repetitions('TEST_INSTANCES', 6)
const wait = 240_000

const folder = temporaryFolder('burst')
let twin: TwinProcess

beforeAll(async () => {
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no', INSTANCES: String(instances) } })
  actAsOperator(twin.connection)
}, wait)

afterAll(async () => {
  await twin?.stop()
})

type Body = { token: string; data: { id: number; uuid: string; documents: { invoices: { number: string }[] } } }

const post = async (route: string, body: object, token = ''): Promise<{ status: number; json: Body }> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${twin.connection.url}/service/${route}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Body }
}

const bottles = 1000

const newShop = async () => {
  const account = await createMerchant({ name: 'Kellerei Ansturm', paymentTypes: ['invoice', 'prepaid'] })
  const merchant = account.id as MerchantId
  const { token: apiToken } = await issueToken(account, 'test')
  const { token } = (await post('login', { token: apiToken, authid: account.authid })).json
  const wine = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1003, gross: '8.90', taxrate: 19 } as const
  await importWines(merchant, [{ ...wine, articlenumber: 'riesling', stock: bottles }])
  const [{ sk } = { sk: '' }] = await queryEntries({ pk: partition('wine', { merchant }) })
  const id = lastNumber(sk)
  const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Krug' }
  await putItem(key('client', { merchant, id: 1 }), completeClient({ ...home, id: 1, customers_id: merchant }))
  const items = [{ item_type: 'wine', item_id: id, quantity: 1 }]
  const add = (data: object = {}, dry_run = 0) =>
    post('orders/add', { data: { billing_id: 1, payment_type: 'invoice', items, ...data }, dry_run }, token)
  const cancel = (uuid: string) => post('orders/checkout/cancel', { uuid }, token)
  return { merchant, add, cancel, check: () => violations(merchant, { [`wine#${id}`]: bottles }) }
}

const all = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> => Promise.all(counted(count).map(act))
const statuses = (answers: readonly { status: number }[]) => [...new Set(answers.map(({ status }) => status))]
const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

test(
  `${burst} concurrent orders of one merchant, at ${instances} instances, are all placed, with numbers from 1 on`,
  async () => {
    const { merchant, add, check } = await newShop()
    // Loading 64 instances concurrently may exceed the timeout of a request; nothing is stored here.
    await all(2 * instances, () => add({}, 1))
    const answers = await all(burst, () => add())
    expect(statuses(answers)).toEqual([200])
    expect(ascending(answers.map(({ json }) => json.data.id))).toEqual(counted(burst))
    const invoices = answers.map(({ json }) => Number(json.data.documents.invoices[0]?.number.replace('R-', '')))
    expect(ascending(invoices)).toEqual(counted(burst))
    expect(await check()).toEqual([])
    // Nobody waits any more.
    expect(await queryEntries({ pk: partition('queuedOrder', { merchant }) })).toEqual([])
  },
  wait,
)

test(
  'waiting requests continue after their leader died',
  async () => {
    const { merchant, add, check } = await newShop()
    await putItem(leaderKey(merchant), { owner: 'dead', until: Date.now() + 1500 })
    const answers = await all(6, () => add())
    expect(statuses(answers)).toEqual([200])
    expect(ascending(answers.map(({ json }) => json.data.id))).toEqual(counted(6))
    expect(await check()).toEqual([])
  },
  wait,
)

test(
  'concurrent cancellations and new orders skip no number and lose no order',
  async () => {
    const { merchant, add, cancel, check } = await newShop()
    const placed = (await all(9, () => add())).map(({ json }) => json.data)
    const [added, cancelled] = await Promise.all([
      all(20, n => add(n % 2 ? {} : { payment_type: 'prepaid' })),
      Promise.all(placed.map(({ uuid }) => cancel(uuid))),
    ])
    expect([statuses(added), statuses(cancelled)]).toEqual([[200], [200]])
    const last = async (counter: 'orders' | 'invoices' | 'creditAdvices') =>
      (await getItem(key('numbers', { merchant, counter })))?.last
    expect([await last('orders'), await last('invoices'), await last('creditAdvices')]).toEqual([29, 19, 9])
    expect(await check()).toEqual([])
  },
  wait,
)
