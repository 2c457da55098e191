/** Read by Stryker's instrumented sources while they run. */
type Stryker = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage: { static: Coverage; perTest: Record<string, Coverage> }
}

/** How often each mutant's place was run, by its id. */
export type Coverage = Record<string, number>

const holder = globalThis as { __stryker__?: Stryker }

// A module keeps what it found here when it was loaded, so these objects stay for good.
holder.__stryker__ ??= { mutantCoverage: { static: {}, perTest: {} } }

export const stryker = holder.__stryker__

/** A test as Stryker knows it: the file's path in the project, and the test's full name. */
export const testId = (file: string, name: string): string => `${file} > ${name}`

/** The file of a test's id. */
export const fileOf = (id: string): string => id.slice(0, id.indexOf(' > '))
