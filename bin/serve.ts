import { enableCompileCache, flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Twin } from '../lib/twin/twin.ts'

const { PORT = '3000', DATA_DIR = '.local', DEMO = 'yes', ENGLISH = 'yes', TIMERS = 'yes' } = process.env
const { INSTANCES = '4', ALL_INSTANCES = '48', LEADING_KEYS = 'apart' } = process.env

const say = (line: string) => process.stdout.write(`${line}\n`)
const warn = (message: string) => process.stderr.write(`${message}\n`)

// The reader of the output may have exited, or the disk may be full; the service continues.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

const fail = (error: unknown): never => {
  const { code, message } = error as NodeJS.ErrnoException
  warn(code === 'EADDRINUSE' ? `port ${PORT} is taken; choose another with PORT=…` : message)
  process.exit(1)
}

/** Throws for settings that cannot be meant. */
const checkSettings = (): void => {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
    throw new Error(`PORT must be a number up to 65535, not ${PORT}`)
  for (const [name, value] of Object.entries({ DEMO, ENGLISH, TIMERS }))
    if (value !== 'yes' && value !== 'no') throw new Error(`${name} must be yes or no, not ${value}`)
  if (LEADING_KEYS !== 'apart' && LEADING_KEYS !== 'together')
    throw new Error(`LEADING_KEYS must be apart or together, not ${LEADING_KEYS}`)
  for (const [name, value] of Object.entries({ INSTANCES, ALL_INSTANCES }))
    if (!/^[1-9]\d{0,2}$/.test(value)) throw new Error(`${name} must be a number from 1 to 999, not ${value}`)
}

try {
  checkSettings()
} catch (error) {
  fail(error)
}

// Most of a start's time goes into compiling what has not changed since the last one.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { actAsOperator } = await import('../lib/tool/connect.ts')
const { credentialsOf, demoCredentials } = await import('../lib/tool/demo/credentials.ts')
const { isDemoComplete, markDemoComplete } = await import('../lib/tool/demo/complete.ts')
const { startTwin } = await import('../lib/twin/twin.ts')

/** Brings the demo in, where it is not complete, and says who may sign in. */
const showDemo = async (isComplete: boolean): Promise<void> => {
  if (!isComplete) {
    // It loads all the importers.
    const { setUpDemo } = await import('../lib/tool/demo/setup.ts')
    await setUpDemo()
  }
  for (const { name, authid, token } of demoCredentials()) say(`merchant ${name} authid ${authid} token ${token}`)
}

/** Adds the demo's English wines, and then notes that the demo is complete. Never rejects. */
const translate = async (folder: string, signal: AbortSignal): Promise<void> => {
  const { translateDemo } = await import('../lib/tool/demo/translations.ts')
  try {
    await translateDemo(signal)
    if (!signal.aborted) await markDemoComplete(folder)
  } catch (error) {
    if (!signal.aborted) warn(`the demo's English wines are not all there: ${(error as Error).message}`)
  }
}

/** Paths that the shop serves outside of its folder. */
const shopsOwn = ['/', '/robots.txt', '/sitemap.xml']

/** Opens the shop of a demo merchant at the service's own address. */
const openShop = async ({ connection, addPage }: Twin, folder: string): Promise<void> => {
  const { createShop } = await import('../lib/shop/server.ts')
  const { readCookieKey } = await import('../lib/shop/cookie-key.ts')
  const { createClient } = await import('../lib/client/index.ts')
  const { webPage } = await import('../lib/twin/gateway/web-page.ts')
  const { url } = connection
  const { authid, token } = credentialsOf('elbufer')
  const origins = [url, url.replace('localhost', '127.0.0.1')] as const
  const isShops = (method: string, path: string) =>
    path.startsWith('/shop/') || (shopsOwn.includes(path) && (method === 'GET' || method === 'HEAD'))
  const cookieKey = await readCookieKey(join(folder, 'shop-cookies.key'))
  addPage(webPage(createShop({ client: createClient({ url, authid, token }), origins, cookieKey }), isShops))
  say(`shop ${url}/`)
}

const start = async () => {
  const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } })
  const watch = values.watch && { watch: { say, fail: warn } }
  const folder = resolve(DATA_DIR)
  const timers = TIMERS === 'yes'
  const limits = { maxInstances: Number(INSTANCES), maxAllInstances: Number(ALL_INSTANCES) }
  const twin = await startTwin({ port: Number(PORT), folder, timers, leadingKeys: LEADING_KEYS, ...limits, ...watch })
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort()
    return twin.close().then(() => process.exit(0), fail)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  twin.failed.then(error => {
    warn(error.message)
    twin.close().finally(() => process.exit(1))
  })
  actAsOperator(twin.connection)
  const isComplete = DEMO === 'no' || (await isDemoComplete(folder))
  if (DEMO === 'yes') {
    await showDemo(isComplete)
    await openShop(twin, folder)
    if (!isComplete && ENGLISH === 'no') await markDemoComplete(folder)
  }
  say(`ready ${twin.connection.url}`)
  // One by one they take longer than a start should.
  if (!isComplete && ENGLISH === 'yes') translate(folder, stopping.signal)
  // Not only at the end, which this process may not live to see.
  flushCompileCache()
}

await start().catch(fail)
