import { centsOf } from './pages/price.js'

/** The lower bounds of the bands, in whole euros. */
const bounds = [0, 10, 15, 25, 50] as const

/** Gross prices in whole euros from `from` up to, but not including, `to`; null means no upper bound. */
export type PriceBand = { band: string; from: number; to: number | null }

/** `band`, such as "10-15" or "50-", is a value of the parameter `priceBand`. */
const priceBands: readonly PriceBand[] = bounds.map((from, n) => {
  const to = bounds[n + 1] ?? null
  return { band: `${from}-${to ?? ''}`, from, to }
})

type Priced = { gross: string }

/** Returns a test for prices in one of the named bands. Unknown names match nothing. */
export const isWithin = (names: readonly string[]): ((wine: Priced) => boolean) => {
  const wanted = priceBands.filter(({ band }) => names.includes(band))
  return ({ gross }) => {
    const euros = centsOf(gross) / 100
    return wanted.some(({ from, to }) => euros >= from && (to === null || euros < to))
  }
}

/** All bands by rising price, each with the number of wines in it. */
export const countedBands = (wines: readonly Priced[]): (PriceBand & { count: number })[] =>
  priceBands.map(one => ({ ...one, count: wines.filter(isWithin([one.band])).length }))
