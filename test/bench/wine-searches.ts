import { searchIndexOf } from '../../shared/catalogue/search/instance-cache.ts'
import { merchantScope } from '../../shared/catalogue/search/scopes.ts'
import { listWines } from '../../shared/catalogue/wines/lists.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import { fold } from '../../shared/values/text.ts'
import { median, printTable } from './median.ts'
import { type Cost, metered } from './meter.ts'
import { textBytes, textbookSearch, trigramIndex } from './wine-peers.ts'
import type { Shop } from './wine-shops.ts'

/** Phrases with no hit, a few, many and nearly all; the last ones are shorter than a trigram, or part of many words. */
const phrases = ['xqzjvy', 'Château Lafite', 'Gewürztraminer', 'Riesling', 'Cabernet', 'trocken', 'rö', 'q', 'ach']
const repeats = 40

/** Bytes of an item as DynamoDB counts them: names and values in UTF-8, numbers by their digits. */
const sizeOf = (item: object): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum +
      Buffer.byteLength(name) +
      (typeof value === 'number' ? Math.ceil(String(value).length / 2) + 1 : Buffer.byteLength(String(value))),
    0,
  )

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Milliseconds of CPU of one call. */
const cpuOf = (act: () => void): number => {
  const before = process.cpuUsage()
  for (let n = 0; n < repeats; n++) act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / repeats
}

const overHttp = async (url: string, { token }: Shop, phrase: string): Promise<number> => {
  const started = performance.now()
  const response = await fetch(`${url}/service/wines/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: phrase }),
  })
  if (response.status !== 200) throw new Error(`wines/search answers ${response.status}`)
  await response.arrayBuffer()
  return performance.now() - started
}

/** Means over the phrases that are found. */
export type Figures = {
  size: number
  ours: { units: number; ms: number; cpu: number; sequential: number }
  textbook: { units: number; ms: number; cpu: number; sequential: number }
  /** CPU of the search alone. */
  index: number
  trigrams: number
}

/** Searches one shop with all contestants in turns, and prints their costs. */
export const measureSearches = async (url: string, shop: Shop, rounds: number): Promise<Figures> => {
  const { merchant, size, wines, items } = shop
  const ask = (phrase: string) => listWines(merchant, { page: 1, query: { anywhere: fold(phrase) } }, '')
  const peer = trigramIndex(wines)
  const catalogue = await searchIndexOf(merchantScope(merchant))
  const bytes = new Map(items.map(item => [wineOf(item).id, sizeOf(item)]))
  const whole = items.reduce((sum, item) => sum + sizeOf(item), 0)
  const heads = ['phrase', 'hits', '(textbook)', 'requests', '(t)', 'units', '(by rule)', '(t)', 'ms', '(t)', 'HTTP ms']
  const table = [[...heads, 'CPU ms', '(t)', 'index CPU', 'FTS5 CPU']]
  const measured: { found: boolean; ours: Cost[]; textbook: Cost[]; index: number; trigrams: number }[] = []
  for (const phrase of phrases) {
    await ask(phrase)
    await overHttp(url, shop, phrase)
    const [ours, textbook, http]: [Cost[], Cost[], number[]] = [[], [], []]
    let [hits, textbookHits, rule] = [0, 0, 0]
    for (let n = 0; n < rounds; n++) {
      const { value: own, ...cost } = await metered(() => ask(phrase))
      const { value: other, ...otherCost } = await metered(() => textbookSearch(merchant, phrase))
      ours.push(cost)
      textbook.push(otherCost)
      http.push(await overHttp(url, shop, phrase))
      hits = own.totalCount
      textbookHits = other.total
      // One unit for the query of changes, and one request for each wine of the page.
      rule = own.data.reduce((sum, { id }) => sum + Math.ceil((bytes.get(id) ?? 0) / 4096), 1)
    }
    const inTrigrams = peer.search(phrase)
    if (inTrigrams.total !== hits) throw new Error(`FTS5 finds ${inTrigrams.total} of "${phrase}", the index ${hits}`)
    const search = { query: { anywhere: fold(phrase) }, start: 0, max: 16 }
    const [index, trigrams] = [cpuOf(() => catalogue.search(search)), cpuOf(() => peer.search(phrase))]
    measured.push({ found: hits > 0, ours, textbook, index, trigrams })
    const of = (runs: readonly Cost[], what: keyof Cost, digits = 0) =>
      median(runs.map(run => run[what])).toFixed(digits)
    table.push([
      ...[phrase, String(hits), String(textbookHits), of(ours, 'requests'), of(textbook, 'requests')],
      ...[of(ours, 'units'), String(rule), of(textbook, 'units'), of(ours, 'ms', 1), of(textbook, 'ms', 1)],
      ...[median(http).toFixed(1), of(ours, 'cpu', 1), of(textbook, 'cpu', 1), index.toFixed(2), trigrams.toFixed(2)],
    ])
  }
  printTable(table)
  const perWine = (all: number) => (all / size).toFixed(0)
  process.stdout.write(
    `bytes a wine: item ${perWine(whole)}, searched text ${textBytes(wines).toFixed(0)}, FTS5 ${perWine(peer.bytes)}; ` +
      `the textbook's units by rule: ${Math.ceil(whole / 4096)}\n`,
  )
  peer.close()
  const found = measured.filter(one => one.found)
  const meanOf = (who: 'ours' | 'textbook', what: keyof Cost) =>
    mean(found.map(one => median(one[who].map(run => run[what]))))
  const all = (who: 'ours' | 'textbook') => ({
    units: meanOf(who, 'units'),
    ms: meanOf(who, 'ms'),
    cpu: meanOf(who, 'cpu'),
    sequential: Math.max(...measured.flatMap(one => median(one[who].map(run => run.sequential)))),
  })
  return {
    size,
    ours: all('ours'),
    textbook: all('textbook'),
    index: mean(found.map(one => one.index)),
    trigrams: mean(found.map(one => one.trigrams)),
  }
}
