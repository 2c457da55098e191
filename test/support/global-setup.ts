import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBuild } from '../../lib/twin/build/build.ts'
import type { LocalServer } from '../../lib/twin/loopback.ts'
import { startPayPalTwin } from './paypal/server.ts'
import { copyData, startTwinProcess, type TwinProcess } from './running-twin.ts'
import { tellStart } from './shared-twin.ts'

const shared = globalThis as {
  startOfTests?: Promise<void>
  twinOfTests?: TwinProcess
  twinFolder?: string
  payPalOfTests?: LocalServer
}

const kept = '.local/test-build'

/** Copies the last build of a run, or of a service on this machine; products of other sources are rebuilt. */
const copyLastBuild = async (build: string): Promise<void> => {
  const copy = (from: string) => cp(from, build, { recursive: true })
  await copy(kept).catch(() => copy('.local/build').catch(() => {}))
}

/** Keeps a build for the next run. Another run may do so at the same time. */
const keepBuild = async (build: string): Promise<void> => {
  await mkdir('.local', { recursive: true })
  const fresh = await mkdtemp(`${kept}-`)
  await cp(build, fresh, { recursive: true })
  await rm(kept, { recursive: true, force: true })
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }))
}

// The twin would build them when they are asked for, in the time of a test, and the next run again.
const buildAll = async (folder: string): Promise<void> => {
  const build = await openBuild(folder)
  let { bundles } = build.outdated()
  while (bundles[0]) {
    const made = await build.makeBundle(bundles[0], false, bundles)
    bundles = bundles.filter(name => !made.includes(name))
  }
  await build.close()
}

const start = async (folder: string): Promise<void> => {
  const build = join(folder, 'build')
  await copyLastBuild(build)
  await buildAll(build)
  // A scheduled sweep would reconcile payments in the middle of a test.
  const { TEST_INSTANCES = '2' } = process.env
  shared.twinOfTests = await startTwinProcess(folder, { environment: { TIMERS: 'no', INSTANCES: TEST_INSTANCES } })
  await keepBuild(build)
  // As a first start leaves it: nobody has sent a request yet.
  await copyData(folder, join(folder, 'first-start'))
  await tellStart(folder, { lines: shared.twinOfTests.lines })
}

/**
 * One twin with the demo cellar, and one PayPal beside it, serve all service tests; each test file makes merchants of
 * its own. Tests that need no twin run while it starts; environment.ts lets the others wait.
 */
export default async (): Promise<void> => {
  // Two projects share it; each sets it up where it runs without the other.
  if (shared.twinFolder) return
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-test-'))
  shared.twinFolder = folder
  shared.payPalOfTests = await startPayPalTwin()
  const { url } = shared.payPalOfTests
  const { SEEN_ERRORS = join(folder, 'seen-errors') } = process.env
  Object.assign(process.env, { TEST_TWIN: folder, TEST_PAYPAL: url, SEEN_ERRORS })
  shared.startOfTests = start(folder).catch((error: Error) => tellStart(folder, { failure: error.message }))
}
