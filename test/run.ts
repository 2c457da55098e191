import { run } from 'jest'

// Runs a lane of lanes.ts: `node test/run.ts LANE`, and what else jest is to be told.
const [lane, ...words] = process.argv.slice(2)
process.env.LANE = lane
// The processes that run the tests throw most of what they make away at once.
process.execArgv.push('--min-semi-space-size=16')
await run(['--config', 'test/jest.config.ts', ...words])
