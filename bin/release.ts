import { runRelease } from '../lib/release.ts'

process.exitCode = await runRelease(process.argv.slice(2))
