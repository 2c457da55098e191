import { build } from 'esbuild'
import { ownInputs, root } from './sources.ts'

/** The project's own files that run with an entry point. Rejects with esbuild's BuildFailure. */
export const inputsOf = async (entry: string): Promise<string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    write: false,
    format: 'esm',
    platform: 'node',
    metafile: true,
    logLevel: 'silent',
  })
  return ownInputs(metafile, entry)
}

export const program = 'bin/serve.ts'

/** Followed by the running service: the stack, and the pages of the shop, which it reads at each request. */
const followedByService = ['lib/stack/', 'lib/shop/pages/']

/** Returns a function: true if a change of a file of bin/ or lib/ needs a restart of the service. */
export const restartsFor = async (): Promise<(file: string) => boolean> => {
  const loaded = await inputsOf(program)
  return file => loaded.includes(file) || !followedByService.some(folder => file.startsWith(folder))
}
