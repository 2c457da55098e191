/** What the queue works with. */
export type BundleWork = {
  /** Builds one bundle; rejects when it cannot be built. */
  makeBundle(name: string): Promise<void>
  bundleMade(name: string): void
  report(error: unknown): Promise<void>
  say(line: string): void
}

/** The bundles that wait to be built. */
export type BundleQueue = {
  /** Takes over which bundles are outdated now. */
  set(outdated: readonly string[]): void
  /** Resolves when the bundle is no longer outdated, or could not be built; it comes first from now on. */
  wait(name: string): Promise<void>
  /** Resolves when nothing is left to build. */
  idle(): Promise<void>
}

/** How long ago that was, by `performance.now`, for a person. */
export const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** Builds bundles one after the other, those first that somebody waits for. */
export const bundleQueue = ({ makeBundle, bundleMade, report, say }: BundleWork): BundleQueue => {
  const jobs = new Map<string, PromiseWithResolvers<void>>()
  const wanted = new Set<string>()
  let current = ''
  let isOutdatedAgain = false
  let working: Promise<void> | undefined

  const finish = (name: string): void => {
    jobs.get(name)?.resolve()
    jobs.delete(name)
    wanted.delete(name)
  }

  const next = (): string => [...wanted, ...jobs.keys()][0] ?? ''

  const makeOne = async (name: string): Promise<boolean> => {
    try {
      await makeBundle(name)
      bundleMade(name)
      return true
    } catch (error) {
      await report(error)
      return false
    }
  }

  const work = async (): Promise<void> => {
    const start = performance.now()
    const made = new Set<string>()
    for (let name = next(); name; name = next()) {
      current = name
      isOutdatedAgain = false
      if (await makeOne(name)) made.add(name)
      current = ''
      if (!isOutdatedAgain) finish(name)
    }
    if (made.size > 0) say(`built ${made.size === 1 ? [...made] : `${made.size} functions`} in ${secondsSince(start)}`)
  }

  return {
    set: outdated => {
      for (const name of jobs.keys()) if (name !== current && !outdated.includes(name)) finish(name)
      if (outdated.includes(current)) isOutdatedAgain = true
      for (const name of outdated) if (!jobs.has(name)) jobs.set(name, Promise.withResolvers())
      working ??= work().finally(() => {
        working = undefined
      })
    },
    wait: async name => {
      const job = jobs.get(name)
      if (!job) return
      wanted.add(name)
      await job.promise
    },
    idle: async () => working,
  }
}
