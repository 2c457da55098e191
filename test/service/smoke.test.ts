import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { askLeadingKeys, realTable, type Table } from '../../lib/smoke/leading-keys.ts'
import { routes } from '../../shared/contract/index.ts'
import type { Key } from '../../shared/platform/table/keys.ts'
import { getItems } from '../../shared/platform/table/table.ts'
import { setMerchant } from '../support/checkout.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { damagingProxy } from '../support/damaging-proxy.ts'
import { type Json, newShop, type Shop, twin } from '../support/harness.ts'
import { givePayPal } from '../support/paypal/account.ts'
import { patience } from '../support/tool.ts'

const startSmoke = (url: string, { authid, apiToken }: Shop, ...words: string[]): ChildProcess =>
  spawn(process.execPath, ['bin/smoke.ts', '--url', url, '--authid', authid, ...words], {
    env: childEnvironment({ SMOKE_TOKEN: apiToken }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const ended = async (child: ChildProcess) => {
  const exited = once(child, 'exit')
  const [out, errors] = await Promise.all([text(child.stdout as never), text(child.stderr as never)])
  const [code] = await exited
  return { code, out, errors, lines: out.trim().split('\n') }
}

const smoke = (url: string, shop: Shop, ...words: string[]) => ended(startSmoke(url, shop, ...words))

/** What a merchant who had nothing before has after a walk. */
const leftIn = async ({ call }: Shop) => ({
  orders: (await call('orders/getAll')).json.data.map(({ status }: Json) => status),
  addresses: (await call('addresses/getAll')).json.data,
  visible: (await call('wines/getAll', { inwinelist: 1 })).json.totalCount,
  wines: (await call('wines/getAll')).json.data.map(({ active, public: shown, shop }: Json) => [active, shown, shop]),
})

const clean = (orders: number) => ({
  orders: Array(orders).fill('cancelled'),
  addresses: [],
  visible: 0,
  wines: [[0, 0, 0]],
})

test(
  'every route of a stage is as the contract has it, and of what was written the cancelled orders stay',
  async () => {
    const shop = await newShop('Kellerei Rauch', ['invoice', 'paypal'])
    const { code, out, errors, lines } = await smoke(twin.url, shop, '--show')
    if (code !== 0) throw new Error(`the smoke test ended with ${code}: ${errors}\n${out}`)
    expect([errors, lines.at(-1)]).toEqual(['', expect.stringMatching(`^${routes.length} routes, \\d+ calls, 0 diff`)])
    const told = new Set(lines.map(line => line.split(' ')[0]))
    expect(routes.map(({ path }) => path).filter(path => !told.has(path))).toEqual([])
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}\{"query":"riesling",.*"pageSize":1\}$/))
    expect(lines.filter(line => line.startsWith('left behind: order '))).toHaveLength(2)
    expect(out).not.toContain(shop.apiToken)
    expect(await leftIn(shop)).toEqual(clean(2))
  },
  patience,
)

test(
  'at PayPal a payment is opened, which nobody pays',
  async () => {
    const shop = await newShop('Kellerei Ohnegeld', ['invoice', 'paypal'])
    await givePayPal(shop)
    await setMerchant(shop, { payment_provider: 'paypal' })
    const { code, out, lines } = await smoke(twin.url, shop, '--show')
    if (code !== 0) throw new Error(`the smoke test ended with ${code}: ${out}`)
    expect(lines.filter(line => line.includes('nobody pays'))).toHaveLength(2)
    const placed: Json[] = (await shop.call('orders/getAll', { include: 'documents' })).json.data
    expect(placed.map(({ documents }) => documents.payments)).toEqual([[], []])
    expect(await leftIn(shop)).toEqual(clean(2))
  },
  patience,
)

test(
  'each damaged answer is a difference, and what was written is found though its answer was lost',
  async () => {
    const shop = await newShop('Kellerei Bruch', ['prepaid'])
    const url = await damagingProxy(twin.url, {
      '/service/addresses/get': body => body.replace('"Meißen"', '"Meissen"'),
      '/service/customers/getMy': body => body.replace('"phone":', '"telephone":'),
      '/service/categories/getAll': 'fails',
      '/service/packaging/getAll': 'hangs',
      '/service/orders/add': 'fails',
    })
    const { code, out, lines } = await smoke(url, shop, '--timeout', '10')
    const different = (route: string) => lines.filter(line => line.startsWith(`${route} `) && line.includes('DIFFERS'))
    expect([code, lines.at(-1)]).toEqual([1, expect.not.stringContaining(' 0 differences')])
    expect(different('/service/addresses/get')[0]).toContain('data.city is "Meissen" instead of "Meißen"')
    expect(different('/service/customers/getMy')[0]).toContain('against its schema at data.phone')
    expect(different('/service/categories/getAll')[0]).toContain('500 instead of 200')
    expect(different('/service/packaging/getAll')[0]).toContain('no answer within 10 s')
    expect(different('/service/orders/add')).not.toEqual([])
    expect(different('/service/orders/get')[0]).toContain('not walked: an earlier step left no order')
    expect(out).not.toContain(shop.apiToken)
    expect(await leftIn(shop)).toEqual(clean(1))
  },
  patience,
)

test(
  'an interrupted walk cleans up, and ends with 1',
  async () => {
    const shop = await newShop('Kellerei Abbruch', ['prepaid'])
    const child = startSmoke(twin.url, shop)
    child.stdout?.on('data', chunk => {
      // Twice, as from a terminal: npm passes the signal on.
      if (String(chunk).includes('places the order, once by its key')) for (const _ of [1, 2]) child.kill('SIGINT')
    })
    const { code, lines } = await ended(child)
    expect([code, lines.at(-1)]).toEqual([1, expect.not.stringContaining(' 0 differences')])
    expect(lines.some(line => line.includes('DIFFERS: interrupted'))).toBe(true)
    expect(await leftIn(shop)).toEqual(clean(1))
  },
  patience,
)

test('the question about leading keys is made of requests that the table takes, and leaves nothing there', async () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' })
  const own: Record<string, string> = { put: 'smoke#allowed', check: 'smoke#other' }
  const only = async (isAllowed: boolean, act: () => Promise<void>) => {
    if (!isAllowed) throw denied
    await act()
  }
  const put: Table['put'] = key => only(key.pk === own.put, () => realTable.put(key))
  const transact: Table['transact'] = actions =>
    only(
      actions.every(({ name, key }) => own[name] === key.pk),
      () => realTable.transact(actions),
    )
  expect(await askLeadingKeys({ ...realTable, put })).toBe('not evaluated')
  expect(await askLeadingKeys({ ...realTable, put, transact })).toBe('per action')
  const keys = Object.values(own).map((pk): Key => ({ pk, sk: 'smoke' }))
  expect(await getItems(keys)).toEqual([undefined, undefined])
})
