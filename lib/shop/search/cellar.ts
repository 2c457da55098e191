import { popular } from '../matches.ts'
import type { ListedWine } from '../records.ts'
import type { Visit } from '../visit.ts'
import { type Vocabulary, vocabularyOf } from './spelling.ts'
import { type Sold, soldIn } from './understand.ts'

/** All wines of the shop, the most popular first, and what can be said of them. */
export type Cellar = { wines: readonly ListedWine[]; sold: Sold; vocabulary: Vocabulary }

const made = new WeakMap<readonly ListedWine[], Cellar>()

const cellarOf = (wines: readonly ListedWine[]): Cellar => {
  const sold = soldIn(wines)
  return { wines, sold, vocabulary: vocabularyOf(wines, sold) }
}

/** Reads all wines of the shop, which are kept for a minute. */
export const readCellar = async (visit: Visit): Promise<Cellar> => {
  const wines = await visit.matches(visit, { query: null, filter: {}, orderBy: popular })
  const cellar = made.get(wines) ?? cellarOf(wines)
  made.set(wines, cellar)
  return cellar
}
