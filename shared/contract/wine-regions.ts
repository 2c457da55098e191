type Span = readonly [first: number, last: number]

/** The wine region ids by country code, as spans with both ends included; a country missing here has no block. */
export const regionBlocks: ReadonlyMap<string, readonly Span[]> = new Map<string, readonly Span[]>([
  ['de', [[1000, 1013]]],
  [
    'fr',
    [
      [2000, 2007],
      [2009, 2021],
    ],
  ],
  ['be', [[3000, 3003]]],
  ['bg', [[4000, 4004]]],
  [
    'gr',
    [
      [5000, 5007],
      [5009, 5014],
    ],
  ],
  ['it', [[6000, 6020]]],
  ['nl', [[7000, 7005]]],
  ['at', [[8000, 8025]]],
  ['pt', [[9000, 9008]]],
  ['ro', [[10000, 10007]]],
  ['si', [[11000, 11002]]],
  ['es', [[12000, 12038]]],
  ['za', [[13000, 13024]]],
  ['ar', [[14001, 14001]]],
  ['au', [[15001, 15001]]],
  ['cl', [[16001, 16004]]],
  ['nz', [[17001, 17001]]],
  ['us', [[18001, 18002]]],
])

/** Whether the region lies in the country: an id of the country's block, any positive integer where it has none. */
export const isRegionOf = (countrycode: string, region: number): boolean => {
  if (!Number.isSafeInteger(region) || region < 1) return false
  const block = regionBlocks.get(countrycode)
  return block === undefined || block.some(([first, last]) => first <= region && region <= last)
}

/** The country's ids as text for people, `2000-2007, 2009-2021`; undefined where it has no block. */
export const regionsInWords = (countrycode: string): string | undefined =>
  regionBlocks
    .get(countrycode)
    ?.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(', ')
