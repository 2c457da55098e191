export type BundleWork = {
  /** Builds one bundle, which is in use when it is among the last that were asked for; rejects if it cannot be built. */
  makeBundle(name: string, isInUse: boolean): Promise<void>
  bundleMade(name: string): void
  report(error: unknown): Promise<void>
  say(line: string): void
}

/** The bundles that wait to be built. */
export type BundleQueue = {
  /** Takes over which bundles are outdated now. */
  set(outdated: readonly string[]): void
  /** Asks for a bundle. Resolves when it is no longer outdated, or could not be built; it comes first from now on. */
  wait(name: string): Promise<void>
  /** Resolves when nothing is left to build. */
  idle(): Promise<void>
}

/** How long ago that was, by `performance.now`, for a person. */
export const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** How many bundles count as in use at most. */
export const maxInUse = 4

/** Builds bundles one after the other: those first that a request waits for, then those that were requested before. */
export const bundleQueue = ({ makeBundle, bundleMade, report, say }: BundleWork): BundleQueue => {
  const jobs = new Map<string, PromiseWithResolvers<void>>()
  /** The requested bundles, the latest last. */
  const asked = new Set<string>()
  let current = ''
  let isOutdatedAgain = false
  let working: Promise<void> | undefined

  const finish = (name: string): void => {
    jobs.get(name)?.resolve()
    jobs.delete(name)
  }

  const next = (): string => [...asked].findLast(name => jobs.has(name)) ?? [...jobs.keys()][0] ?? ''

  const makeOne = async (name: string): Promise<boolean> => {
    try {
      await makeBundle(name, [...asked].slice(-maxInUse).includes(name))
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
      asked.delete(name)
      asked.add(name)
      await jobs.get(name)?.promise
    },
    idle: async () => working,
  }
}
