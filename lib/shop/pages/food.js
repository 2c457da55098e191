// @ts-check
// Sorts the rows of a wine's facts as a label lists them.

/**
 * @typedef {{ factgroup: string, subgroup: string, key: string | null, name: string, quantity: string | null,
 *   unit: string | null, allergen: number, and_or: number }} Row
 * @typedef {{ subgroup: string, isEither: boolean, members: Row[] }} Group Ingredients of a class; `isEither` if the wine
 *   contains one or more of them.
 */

// Sentences, which have no class before them.
const statements = ['bottled_in_protective_atmosphere', 'may_be_bottled_in_protective_atmosphere']

/**
 * The ingredients by class, those that may be in the wine apart from those that are.
 * @param {readonly Row[]} rows
 * @returns {Group[]}
 */
export const ingredientGroups = rows => {
  /** @type {Map<string, Group>} */
  const groups = new Map()
  for (const row of rows.filter(({ factgroup }) => factgroup === 'ingredients')) {
    const subgroup = statements.includes(row.key ?? '') ? '' : row.subgroup
    const place = `${subgroup} ${row.and_or}`
    const group = groups.get(place) ?? { subgroup, isEither: row.and_or === 1, members: [] }
    group.members.push(row)
    groups.set(place, group)
  }
  return [...groups.values()]
}

/**
 * The nutrition declaration: `energy` in both units, the `amounts` in grams, and the nutrients with `negligible` amounts.
 * Undefined if a unit of the energy is missing.
 * @param {readonly Row[]} rows
 */
export const nutritionOf = rows => {
  const nutrition = rows.filter(({ factgroup }) => factgroup === 'nutritionalInformation')
  const energyIn = (/** @type {string} */ unit) => nutrition.find(row => row.key === 'energy' && row.unit === unit)
  const [kj, kcal] = [energyIn('kJ'), energyIn('kcal')]
  if (!kj || !kcal) return undefined
  const grams = nutrition.filter(({ unit }) => unit === 'g')
  return {
    name: kj.name,
    energy: { kj: kj.quantity ?? '', kcal: kcal.quantity ?? '' },
    amounts: grams.filter(({ quantity }) => quantity !== '0.0'),
    negligible: grams.filter(({ quantity }) => quantity === '0.0'),
  }
}
