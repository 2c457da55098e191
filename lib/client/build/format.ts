import { execFile } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

/** A source of lib/client as `npm run format` leaves it. Rejects when it is no TypeScript. */
export const formatted = (name: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: root, maxBuffer: 16 * 1024 * 1024 }
    const call = [biome, 'format', `--stdin-file-path=lib/client/${name}`]
    const run = execFile(process.execPath, call, options, (error, stdout) => (error ? reject(error) : resolve(stdout)))
    run.stdin?.end(text)
  })
