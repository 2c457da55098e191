import { median } from '../median.ts'
import type { Asked, Found } from './asked.ts'
import type { Contestant } from './contestant.ts'

/** The cost of a class by contestant: the medians of its parts in milliseconds of CPU. */
export type Cost = { contestant: string; parts: number[] }

/** One class: how many wines it finds, and what it cost. */
export type Race = { title: string; total: number; costs: Cost[] }

const isSame = (one: Found, other: Found): boolean => one.total === other.total && one.ids.join() === other.ids.join()

/** Throws unless all contestants return the same; returns the number of hits. */
export const compare = async (contestants: readonly Contestant[], asked: Asked): Promise<number> => {
  const [first, ...others] = contestants
  if (!first) return 0
  const found = await first.answer(asked)
  for (const other of others) {
    const own = await other.answer(asked)
    if (isSame(found, own)) continue
    const difference = [first.name, JSON.stringify(found), other.name, JSON.stringify(own)].join(' ')
    throw new Error(`contestants do not agree on ${JSON.stringify(asked)}: ${difference}`)
  }
  return found.total
}

const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0)

// The minimum milliseconds of a turn, so that the clock's resolution does not matter.
const turnMs = 5

const turnsOf = (ms: number): number => {
  if (ms < 20) return 11
  if (ms < 200) return 5
  return ms < 1000 ? 3 : 1
}

/** The number of searches in a turn, and of turns: fewer for slow contestants. */
const planOf = async ({ cpu }: Contestant, asked: Asked): Promise<{ times: number; turns: number }> => {
  let ms = sum(await cpu(asked, 1))
  // A second run, because code that was just loaded takes several times longer.
  if (ms < 100) ms = sum(await cpu(asked, Math.max(10, Math.min(200, Math.ceil(20 / Math.max(ms, 0.1))))))
  return { times: Math.max(1, Math.min(1000, Math.ceil(turnMs / ms))), turns: turnsOf(ms) }
}

/** The cost of one class for all contestants, which take turns, so that other load affects all alike. */
export const race = async (contestants: readonly Contestant[], asked: Asked, total: number): Promise<Race> => {
  const plans: { times: number; turns: number }[] = []
  for (const contestant of contestants) plans.push(await planOf(contestant, asked))
  const runs: number[][][] = contestants.map(() => [])
  for (let turn = 0; turn < Math.max(...plans.map(({ turns }) => turns)); turn++) {
    for (const [n, contestant] of contestants.entries()) {
      const { times, turns } = plans[n] as (typeof plans)[number]
      if (turn < turns) runs[n]?.push(await contestant.cpu(asked, times))
    }
  }
  const costs = contestants.map(({ name }, n) => ({
    contestant: name,
    parts: (runs[n]?.[0] ?? []).map((_, part) => median((runs[n] ?? []).map(parts => parts[part] ?? 0))),
  }))
  return { title: asked.title, total, costs }
}
