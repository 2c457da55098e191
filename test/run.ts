import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'jest'

// Runs a lane of lanes.ts: `node test/run.ts LANE`, with other arguments for jest.
const [lane, ...words] = process.argv.slice(2)
process.env.LANE = lane
// The processes that run the tests throw most of what they make away at once.
process.execArgv.push('--min-semi-space-size=16')
// npm ci makes the typed client, but not with --ignore-scripts.
if (!existsSync(join(import.meta.dirname, '../lib/client/traits.ts'))) await import('../bin/client.ts')
await run(['--config', 'test/jest.config.ts', ...words])
