import { randomInt } from 'node:crypto'
import { type MerchantId, merchantIdOf, partition } from '../platform/table/keys.ts'
import { queryEntries } from '../platform/table/table.ts'

/** What became of a visits through the directory: merchants visited, not reached in time, and visits that failed. */
export type Visits<Visited = MerchantId> = {
  visited: number
  unreached: number
  failures: { merchant: Visited; error: unknown }[]
}

// Whom a visits does not reach in time, one of the next ones does: each begins somewhere else.
const rotatedRandomly = <T>(all: readonly T[]): T[] => {
  const first = all.length > 0 ? randomInt(all.length) : 0
  return [...all.slice(first), ...all.slice(0, first)]
}

/**
 * Visits some merchants, so many at a time, in their order. A visit that fails is told in `failures` and keeps no other one
 * from being made; none begins after the deadline, in epoch milliseconds.
 */
export const visitAll = async <Visited>(
  merchants: readonly Visited[],
  visit: (merchant: Visited) => Promise<unknown>,
  deadline: number,
  atOnce = 20,
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
  await Promise.all(Array.from({ length: atOnce }, work))
  return visits
}

/**
 * All merchants of the directory, from a random one on; one that was created a moment ago may be missing. Rejects when the
 * directory cannot be read.
 */
export const allMerchants = async (): Promise<MerchantId[]> => {
  const directory = await queryEntries({ pk: partition('directory', {}), eventual: true })
  return rotatedRandomly(directory.map(({ sk }) => merchantIdOf(sk)))
}

/** Visits all merchants as visitAll does. Rejects when the directory cannot be read. */
export const visitMerchants = async (
  visit: (merchant: MerchantId) => Promise<unknown>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Visits> => visitAll(await allMerchants(), visit, deadline)
