/** The energy of 100 ml, in whole numbers. */
export type Energy = { kj: number; kcal: number }

/** The parts of a wine that have energy: alcohol in tenths of a percent by volume, the others in hundredths of a gram per 100 ml. */
export type EnergyParts = {
  alcohol: number
  sugars: number
  polyols: number
  acids: number
  fat: number
  protein: number
}

// Grams of ethanol in a millilitre, times 1,000.
const density = 789

// Kilojoules, and tenths of a kilocalorie, of a gram: Regulation (EU) No 1169/2011, Annex XIV.
const factors = {
  alcohol: { kj: 29, kcal: 70 },
  sugars: { kj: 17, kcal: 40 },
  polyols: { kj: 10, kcal: 24 },
  acids: { kj: 13, kcal: 30 },
  fat: { kj: 37, kcal: 90 },
  protein: { kj: 17, kcal: 40 },
} as const

/** A sum over the parts, in ten-thousandths of a gram times the factor; whole numbers, so that rounding is exact. */
const sumOf = (parts: EnergyParts, unit: 'kj' | 'kcal'): number =>
  parts.alcohol * density * factors.alcohol[unit] +
  (['sugars', 'polyols', 'acids', 'fat', 'protein'] as const).reduce(
    (sum, part) => sum + parts[part] * 100 * factors[part][unit],
    0,
  )

/** The energy of 100 ml, each unit by its own factors, half rounded up. Source: Regulation (EU) No 1169/2011, Annex XIV. */
export const energyOf = (parts: EnergyParts): Energy => ({
  kj: Math.round(sumOf(parts, 'kj') / 10_000),
  kcal: Math.round(sumOf(parts, 'kcal') / 100_000),
})
