export type BundleWork = {
  /**
   * Builds a bundle, maybe with other outdated bundles that cost little more; returns the names of all. `isInUse` if
   * it served before and is among the last that were asked for. Rejects if the bundle cannot be built.
   */
  makeBundle(name: string, isInUse: boolean, outdated: readonly string[]): Promise<readonly string[]>
  bundleMade(name: string): void
  report(error: unknown): Promise<void>
  say?(line: string): void
  /** Called when nothing that was asked for is left to build; the next build waits for it. */
  rest?(): Promise<void>
}

/** The bundles that have to be built when they are asked for. */
export type BundleQueue = {
  /** Takes over which bundles are outdated now; those that were asked for before are built immediately. */
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

type Job = PromiseWithResolvers<void> & { served: boolean }

/** Builds bundles that were asked for, one after the other, the last asked for first. */
export const bundleQueue = ({ makeBundle, bundleMade, report, say, rest }: BundleWork): BundleQueue => {
  const jobs = new Map<string, Job>()
  /** The requested bundles, the latest last. */
  const asked = new Set<string>()
  let current = ''
  /** The bundles that became outdated, maybe once more, while the current bundle was being built. */
  let outdatedMeanwhile: readonly string[] = []
  let working: Promise<void> | undefined

  const finish = (name: string): void => {
    jobs.get(name)?.resolve()
    jobs.delete(name)
  }

  const next = (): string => [...asked].findLast(name => jobs.has(name)) ?? ''

  const isInUse = (name: string): boolean =>
    jobs.get(name)?.served === true && [...asked].slice(-maxInUse).includes(name)

  /** Returns the bundles that were made. */
  const make = async (name: string): Promise<readonly string[]> => {
    try {
      const made = await makeBundle(name, isInUse(name), [...jobs.keys()])
      for (const one of made) bundleMade(one)
      return made
    } catch (error) {
      await report(error)
      return []
    }
  }

  const work = async (): Promise<void> => {
    const start = performance.now()
    const made = new Set<string>()
    for (let name = next(); name; name = next()) {
      current = name
      outdatedMeanwhile = []
      const some = await make(name)
      for (const one of some) made.add(one)
      current = ''
      // One that could not be built is tried again after the next change.
      for (const one of new Set([name, ...some])) if (!outdatedMeanwhile.includes(one)) finish(one)
    }
    if (made.size > 0)
      say?.(`built ${made.size === 1 ? [...made] : `${made.size} functions`} in ${secondsSince(start)}`)
    await rest?.()
  }

  const begin = (): void => {
    if (!next()) return
    working ??= work().finally(() => {
      working = undefined
      begin()
    })
  }

  return {
    set: outdated => {
      for (const name of jobs.keys()) if (name !== current && !outdated.includes(name)) finish(name)
      outdatedMeanwhile = outdated
      for (const name of outdated)
        if (!jobs.has(name)) jobs.set(name, { ...Promise.withResolvers(), served: asked.has(name) })
      begin()
    },
    wait: async name => {
      asked.delete(name)
      asked.add(name)
      begin()
      await jobs.get(name)?.promise
    },
    idle: async () => {
      while (working) await working
    },
  }
}
