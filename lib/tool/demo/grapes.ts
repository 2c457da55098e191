import { type XWine, xwines } from './xwines.ts'

const alphabetical = new Intl.Collator('de').compare

/** The grape names of the demo cellar by id: 1, 2, 3 … in alphabetical order. */
export const grapeNames = (wines: readonly XWine[] = xwines()): ReadonlyMap<number, string> => {
  const names = new Set(wines.flatMap(wine => wine.grapes))
  return new Map([...names].toSorted(alphabetical).map((name, index) => [index + 1, name]))
}

/** The ids of the demo cellar's grapes by name. */
export const grapeIds = (wines: readonly XWine[]): ReadonlyMap<string, number> =>
  new Map([...grapeNames(wines)].map(([id, name]) => [name, id]))
