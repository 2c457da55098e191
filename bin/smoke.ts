import { runSmokeTool } from '../lib/smoke/command.ts'

// Whoever reads the output may have read enough (`| head`); the walk goes on, and cleans up.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runSmokeTool(process.argv.slice(2))
