import { compareKeys } from '../../../shared/search/values.ts'
import { type Asked, type Found, pageSize, skipped } from './asked.ts'
import { type Contestant, cpuOf, type Entry } from './contestant.ts'

const isHit = ({ text, fields, country }: Asked, { texts, country: own }: Entry): boolean => {
  if (text !== undefined) return texts.some(one => one.includes(text))
  if (fields) return texts[0].includes(fields.name) && texts[1].includes(fields.place)
  return country === undefined || own === country
}

const usual = (a: Entry, b: Entry): number =>
  compareKeys(b.chstamp, a.chstamp) || compareKeys(a.name, b.name) || a.id - b.id

/**
 * The textbook search: filter all wines, sort the hits, return a page. Its wines are in memory and folded, without the cost
 * of reading, which is far higher.
 */
export const scan = (entries: readonly Entry[]): Contestant => {
  // Not in the default order, because no table returns them so.
  const wines = entries.toSorted((a, b) => a.id - b.id)
  const search = (asked: Asked): Found => {
    const hits = wines.filter(entry => isHit(asked, entry))
    hits.sort(asked.byGross ? (a, b) => a.gross - b.gross || a.id - b.id : usual)
    const start = skipped(asked)
    return { total: hits.length, ids: hits.slice(start, start + pageSize).map(({ id }) => id) }
  }
  return {
    name: 'textbook scan',
    answer: async asked => search(asked),
    cpu: async (asked, times) => [cpuOf(times, () => search(asked))],
    build: 0,
    bytes: entries.reduce((sum, { texts }) => sum + Buffer.byteLength(texts.join()), 0),
    close: async () => {},
  }
}
