import { centsOf } from './pages/price.js'

/** Whole euros at which a band of prices begins; each ends below the next, the last has no end. */
const edges = [0, 10, 15, 25, 50] as const

/** A band of gross prices in whole euros, from `from` up to below `to`; null where there is no upper end. */
export type PriceBand = { band: string; from: number; to: number | null }

/** The bands of the list, by rising price. `band`, such as "10-15" or "50-", is what the parameter `priceBand` names. */
const priceBands: readonly PriceBand[] = edges.map((from, n) => {
  const to = edges[n + 1] ?? null
  return { band: `${from}-${to ?? ''}`, from, to }
})

type Priced = { gross: string }

/** Whether a wine's price is in one of the named bands; a name that no band has is in none. */
export const isWithin = (names: readonly string[]): ((wine: Priced) => boolean) => {
  const wanted = priceBands.filter(({ band }) => names.includes(band))
  return ({ gross }) => {
    const euros = centsOf(gross) / 100
    return wanted.some(({ from, to }) => euros >= from && (to === null || euros < to))
  }
}

/** The bands, each with the number of wines in it. */
export const countedBands = (wines: readonly Priced[]): (PriceBand & { count: number })[] =>
  priceBands.map(one => ({ ...one, count: wines.filter(isWithin([one.band])).length }))
