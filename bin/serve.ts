import { join, resolve } from 'node:path'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { actAsOperator } from '../lib/tool/connect.ts'
import { demoCredentials, setUpDemo } from '../lib/tool/demo/setup.ts'
import { startTwin } from '../lib/twin/twin.ts'

// BUNDLES names a folder of bundles built before, for many starts of the same code.
const { PORT = '3000', DATA_DIR = '.local', BUNDLES } = process.env

const say = (line: string) => process.stdout.write(`${line}\n`)

const fail = (error: unknown): never => {
  const { code, message } = error as NodeJS.ErrnoException
  process.stderr.write(code === 'EADDRINUSE' ? `port ${PORT} is taken; choose another with PORT=…\n` : `${message}\n`)
  process.exit(1)
}

const start = async () => {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
    throw new Error(`PORT must be a number up to 65535, not ${PORT}`)
  const folder = resolve(DATA_DIR)
  const bundles = BUNDLES ? resolve(BUNDLES) : join(folder, 'bundles')
  if (!BUNDLES) await bundleFunctions(bundles)
  const twin = await startTwin({ port: Number(PORT), folder, bundles })
  const stop = () => twin.close().then(() => process.exit(0), fail)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  actAsOperator(twin.connection)
  await setUpDemo()
  for (const { name, authid, token } of demoCredentials()) say(`merchant ${name} authid ${authid} token ${token}`)
  say(`ready ${twin.connection.url}`)
}

await start().catch(fail)
