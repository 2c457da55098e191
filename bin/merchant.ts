import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Half of the time of a short command goes into compiling what has not changed since the last one.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runTool } = await import('../lib/tool/run.ts')

// Whoever reads the output may have read enough (`| head`); the work is done all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runTool(process.argv.slice(2))
