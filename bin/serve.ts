import { enableCompileCache, flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Twin } from '../lib/twin/twin.ts'

const { PORT = '3000', DATA_DIR = '.local', DEMO = 'yes', TIMERS = 'yes' } = process.env
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

/** Throws for invalid settings. */
const checkSettings = (): void => {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
    throw new Error(`PORT must be a number up to 65535, not ${PORT}`)
  for (const [name, value] of Object.entries({ DEMO, TIMERS }))
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

// Compilation takes most of the time of a start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { actAsOperator } = await import('../lib/tool/connect.ts')
const { credentialsOf, demoCredentials } = await import('../lib/tool/demo/credentials.ts')
const { isDemoComplete, markDemoComplete } = await import('../lib/tool/demo/complete.ts')
const { startTwin } = await import('../lib/twin/twin.ts')

/** Imports the demo if it is not complete, and prints the credentials of its merchants. */
const showDemo = async (folder: string, isComplete: boolean): Promise<void> => {
  if (!isComplete) {
    // Imported here because it loads all importers.
    const { setUpDemo } = await import('../lib/tool/demo/setup.ts')
    await setUpDemo()
    await markDemoComplete(folder)
  }
  for (const { name, authid, token, deskToken } of demoCredentials())
    say(`merchant ${name} authid ${authid} token ${token} desk token ${deskToken}`)
}

/** Lets the pictures of the shop's first pages be drawn. Never rejects. */
const drawFirstPictures = async (url: string): Promise<void> => {
  const { requestFirstPictures } = await import('../lib/shop/first-pictures.ts')
  // Those that fail are drawn when a visitor looks at them.
  await requestFirstPictures(url).catch(() => {})
}

/** Paths that the shop serves outside of `/shop/`. */
const shopsOwn = ['/', '/robots.txt', '/sitemap.xml']

/** Serves the shop of a demo merchant at the address of the service. */
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
  const stop = () => twin.close().then(() => process.exit(0), fail)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  twin.failed.then(error => {
    warn(error.message)
    twin.close().finally(() => process.exit(1))
  })
  actAsOperator(twin.connection)
  const isComplete = DEMO === 'no' || (await isDemoComplete(folder))
  if (DEMO === 'yes') {
    await showDemo(folder, isComplete)
    await openShop(twin, folder)
  }
  say(`ready ${twin.connection.url}`)
  if (!isComplete && timers) drawFirstPictures(twin.connection.url)
  // The process may be killed before its end, when the cache would be written.
  flushCompileCache()
}

await start().catch(fail)
