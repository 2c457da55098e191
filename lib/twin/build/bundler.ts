import type { Build } from './build.ts'
import { type BundleWork, bundleQueue } from './queue.ts'

export type BundlerOptions = Pick<BundleWork, 'bundleMade' | 'say' | 'rest'> & {
  /** A build failed; if there is an earlier bundle, it continues to serve. */
  fail(message: string): void
}

/** Builds the outdated bundles of a build that are asked for. */
export type Bundler = {
  /** Resolves when the bundle is made from the sources as they are known to be, or could not be. */
  prepare(bundle: string): Promise<void>
  /** Reads the sources again: bundles that were asked for before are rebuilt immediately. */
  refresh(): void
  report(error: unknown): Promise<void>
  /** Resolves when nothing is left to build. */
  idle(): Promise<void>
  close(): Promise<void>
}

export const openBundler = (build: Build, { fail, ...work }: BundlerOptions): Bundler => {
  const reported = new Set<string>()
  const report = async (error: unknown): Promise<void> => {
    const message = await build.describeFailure(error)
    // One mistake may keep many bundles from being built.
    if (!reported.has(message)) fail(message)
    reported.add(message)
  }
  const { set, wait, idle } = bundleQueue({ ...work, makeBundle: build.makeBundle, report })
  return {
    prepare: wait,
    refresh: () => {
      reported.clear()
      set(build.outdated().bundles)
    },
    report,
    idle,
    close: async () => {
      set([])
      await idle()
      await build.close()
    },
  }
}
