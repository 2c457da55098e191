import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type Row, runSmoke } from '../../lib/smoke/run.ts'
import type { WalkOptions } from '../../lib/smoke/walk.ts'
import { childEnvironment } from './child-environment.ts'
import { type Json, type Shop, twin } from './harness.ts'
import { untilPublished } from './until-published.ts'

/** Starts a walk of all routes as a merchant, in a process of its own. */
export const startSmoke = (url: string, { authid, apiToken }: Shop, ...words: string[]): ChildProcess =>
  spawn(process.execPath, ['bin/smoke.ts', '--url', url, '--authid', authid, ...words], {
    env: childEnvironment({ SMOKE_TOKEN: apiToken }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** How a walk ended, and what it wrote. */
export const ended = async (child: ChildProcess) => {
  const exited = once(child, 'exit')
  const [out, errors] = await Promise.all([text(child.stdout as never), text(child.stderr as never)])
  const [code] = await exited
  return { code, out, errors, lines: out.trim().split('\n') }
}

/** Walks all routes as a merchant. */
export const smoke = (url: string, shop: Shop, ...words: string[]) => ended(startSmoke(url, shop, ...words))

/** Routes that return files of their bundle, which functions in this process have not. */
const bundled = ['/weinkontor-client.tgz', '/docs', '/docs-assets/{file}']

/** Walks all routes on the functions in this process, and publishes the merchant's wines; returns what differs. */
export const walkInProcess = async (
  { id, authid, apiToken }: Shop,
  { onCall, ...more }: Partial<WalkOptions> = {},
): Promise<Row[]> => {
  const rows: Row[] = []
  await runSmoke({
    ...{ url: twin.url, authid, token: apiToken, timeout: 60_000, patience: 60_000 },
    ...{ returnUrl: 'https://shop.example/finish?cart=7', ...more },
    onCall: async call => {
      if (call.route.path.startsWith('/service/wines/')) await untilPublished(id)
      await onCall?.(call)
    },
    onRow: row => void rows.push(row),
  })
  return rows.filter(({ route, wrong }) => wrong !== null && !bundled.includes(route))
}

/** The data of a merchant who had none before a walk. */
export const leftIn = async ({ call }: Shop) => ({
  orders: (await call('orders/getAll')).json.data.map(({ status }: Json) => status),
  addresses: (await call('addresses/getAll')).json.data,
  visible: (await call('wines/getAll', { inwinelist: 1 })).json.totalCount,
  wines: (await call('wines/getAll')).json.data.map(({ active, public: shown, shop }: Json) => [active, shown, shop]),
})

/** The data after a walk that cleaned up: cancelled orders, and two vintages of a wine that are not public. */
export const clean = (orders: number, wines = 2) => ({
  orders: Array(orders).fill('cancelled'),
  addresses: [],
  visible: 0,
  wines: Array(wines).fill([0, 0, 0]),
})
