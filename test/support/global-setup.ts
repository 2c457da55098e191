import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTwinProcess, type TwinProcess } from './running-twin.ts'

const shared = globalThis as { twinOfTests?: TwinProcess; twinFolder?: string }

/** One twin with the demo cellar serves all service tests; each test file makes merchants of its own. */
export default async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-test-'))
  shared.twinFolder = folder
  shared.twinOfTests = await startTwinProcess(folder)
  process.env.TEST_TWIN = folder
  process.env.TEST_BUNDLES = join(folder, 'bundles')
}
