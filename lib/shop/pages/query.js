// @ts-check

/** The filters of the list in the order of the address: its facets, and the winery that a wine's page links to. */
export const facetNames = [
  ...['type', 'priceBand', 'countrycode', 'region', 'winery_id', 'grapetypeIds', 'taste_id', 'vintage', 'bio', 'vegan'],
  'quality',
]

/** The orders of the list; the first is the default. */
export const sorts = ['popular', 'cheap', 'dear', 'young', 'name']

/** The wines beside the text of the start page. */
export const storyWines = { countrycode: 'de', region: '1005', type: 'white' }

/** @typedef {{ q: string, sort: string, page: number, chosen: Record<string, string[]> }} ListQuery */

/**
 * Reads the list from an address, without what is invalid.
 * @param {string} search
 * @returns {ListQuery}
 */
export const readQuery = search => {
  const params = new URLSearchParams(search)
  const sort = params.get('sort') ?? ''
  const page = Number(params.get('page'))
  const chosen = facetNames.flatMap(name => {
    const values = [...new Set(params.getAll(name))].filter(Boolean)
    return values.length > 0 ? [[name, values]] : []
  })
  return {
    q: params.get('q') ?? '',
    sort: sorts.includes(sort) ? sort : 'popular',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    chosen: Object.fromEntries(chosen),
  }
}

/**
 * Returns the union of two filters.
 * @param {Readonly<Record<string, readonly string[]>>} one
 * @param {Readonly<Record<string, readonly string[]>>} other
 * @returns {Record<string, string[]>}
 */
export const mergeFilters = (one, other) => {
  const names = Object.keys({ ...one, ...other })
  return Object.fromEntries(names.map(name => [name, [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])]]))
}

/**
 * The list with the filters that its words were understood as.
 * @param {ListQuery} query
 * @param {{ filter: Record<string, string[]>, rest: string }} understood
 * @returns {ListQuery}
 */
export const asUnderstood = (query, { filter, rest }) => ({
  ...query,
  q: rest,
  chosen: mergeFilters(query.chosen, filter),
})

/**
 * Writes the address of a list, without defaults.
 * @param {Partial<ListQuery>} query
 */
export const writeQuery = ({ q = '', sort = 'popular', page = 1, chosen = {} }) => {
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  for (const name of facetNames) for (const value of chosen[name] ?? []) params.append(name, value)
  if (sort !== 'popular') params.set('sort', sort)
  if (page > 1) params.set('page', String(page))
  const text = params.toString()
  return text && `?${text}`
}

/**
 * The first page of the list without a filter. A region is removed with its country: alone it would be a mere number.
 * @param {ListQuery} query
 * @param {string} name
 * @returns {ListQuery}
 */
export const without = (query, name) => {
  if (name === 'q') return { ...query, q: '', page: 1 }
  const removed = name === 'countrycode' ? ['countrycode', 'region'] : [name]
  const chosen = Object.entries(query.chosen).filter(([facet]) => !removed.includes(facet))
  return { ...query, page: 1, chosen: Object.fromEntries(chosen) }
}

/**
 * The first page of the list with a value of a facet added or removed.
 * @param {ListQuery} query
 * @param {string} name
 * @param {string} value
 * @returns {ListQuery}
 */
export const toggleValue = (query, name, value) => {
  const before = query.chosen[name] ?? []
  const values = before.includes(value) ? before.filter(one => one !== value) : [...before, value]
  const others = without(query, name)
  return values.length > 0 ? { ...others, chosen: { ...others.chosen, [name]: values } } : others
}

/**
 * The pages to link to: the first, the last, and those around the current page; 0 is a gap.
 * @param {number} current
 * @param {number} last
 */
export const pageNumbers = (current, last) => {
  const wanted = [1, current - 1, current, current + 1, last].filter(n => n >= 1 && n <= last)
  const numbers = [...new Set(wanted)].sort((one, other) => one - other)
  return numbers.flatMap((n, at) => (at > 0 && n - (numbers[at - 1] ?? 0) > 1 ? [0, n] : [n]))
}
