import { runSmokeTool } from '../lib/smoke/command.ts'

// The reader of the output may have exited (`| head`); the walk continues, and cleans up.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runSmokeTool(process.argv.slice(2))
