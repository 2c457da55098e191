import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Compilation takes half of the time of a short command.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runTool } = await import('../lib/tool/run.ts')

// The reader of the output may have exited (`| head`); the command continues.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runTool(process.argv.slice(2))
