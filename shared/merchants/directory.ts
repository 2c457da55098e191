import { randomInt } from 'node:crypto'
import { type MerchantId, merchantIdOf, partition } from '../platform/table/keys.ts'
import { queryEntries } from '../platform/table/table.ts'

/** The number of merchants visited and not reached in time, and the visits that failed. */
export type Visits<Visited = MerchantId> = {
  visited: number
  unreached: number
  failures: { merchant: Visited; error: unknown }[]
}

// Every run begins at another merchant, so that each is reached even if runs end early.
const rotatedRandomly = <T>(all: readonly T[]): T[] => {
  const first = all.length > 0 ? randomInt(all.length) : 0
  return [...all.slice(first), ...all.slice(0, first)]
}

/**
 * Visits merchants in their order, `concurrency` at a time. `failures` reports the visits that failed; the others are made
 * all the same. No visit begins after the deadline, in epoch milliseconds.
 */
export const visitAll = async <Visited>(
  merchants: readonly Visited[],
  visit: (merchant: Visited) => Promise<unknown>,
  deadline: number,
  concurrency = 20,
): Promise<Visits<Visited>> => {
  const visits: Visits<Visited> = { visited: 0, unreached: merchants.length, failures: [] }
  const waiting = merchants.values()
  const work = async (): Promise<void> => {
    for (const merchant of waiting) {
      if (Date.now() > deadline) return
      visits.unreached--
      visits.visited++
      await visit(merchant).catch(error => visits.failures.push({ merchant, error }))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return visits
}

/**
 * All merchants of the directory, rotated randomly; a merchant that was created within the last second may be missing.
 * Rejects if the directory cannot be read.
 */
export const allMerchants = async (): Promise<MerchantId[]> => {
  const directory = await queryEntries({ pk: partition('directory', {}), eventual: true })
  return rotatedRandomly(directory.map(({ sk }) => merchantIdOf(sk)))
}

/** Visits all merchants as visitAll does. Rejects if the directory cannot be read. */
export const visitMerchants = async (
  visit: (merchant: MerchantId) => Promise<unknown>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Visits> => visitAll(await allMerchants(), visit, deadline)
