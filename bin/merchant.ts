import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Half of the time of a short command goes into compiling what has not changed since the last one.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runTool } = await import('../lib/tool/run.ts')
const { log } = await import('../shared/log.ts')

// They hold what a payment provider says of a refusal, such as the debug id that its support asks for.
log.warn = log.error = console.error

// Whoever reads the output may have read enough (`| head`); the work is done all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runTool(process.argv.slice(2))
