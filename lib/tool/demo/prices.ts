import { lot, readTable, type XWine } from './xwines.ts'

// A wine is in the first tier whose pattern matches "name · winery · region": of the tiers of single houses and wines,
// which name no country, then of those of its country. Prices are in euros.
const tiers = readTable('price-tiers.csv').map(({ countrycode, euros, pattern = '' }) => ({
  countrycode,
  euros: Number(euros),
  pattern: new RegExp(pattern, 'u'),
}))

const basePriceOf = ({ name, winery, regionName, countrycode: country, body }: XWine): number => {
  const line = `${name} · ${winery} · ${regionName}`
  const isIn = (code = '') => code === '' || code === country
  const tier = tiers.find(({ countrycode, pattern }) => isIn(countrycode) && pattern.test(line))
  return tier?.euros ?? 9 + 2 * body
}

/**
 * The price of a bottle in cents, including tax: that of the wine's tier, up to a fifth less or more by lot. Below 100
 * euros it ends with 90 cents, above it is a multiple of five euros.
 */
export const grossOf = (wine: XWine): number => {
  const euros = basePriceOf(wine) * (0.8 + 0.4 * lot(wine.id, 641))
  return euros < 100 ? 100 * Math.round(euros) - 10 : 500 * Math.round(euros / 5)
}
