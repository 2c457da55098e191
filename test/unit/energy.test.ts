import fc from 'fast-check'
import { computedEnergy, shownNutrition } from '../../shared/catalogue/wines/facts.ts'
import { type EnergyParts, energyOf } from '../../shared/values/energy.ts'

const wine = { alcohol: '12.0', sweetness: '3.0', acid: '6.0' }

const upTo = (max: number) => fc.integer({ min: 0, max })
const anyParts: fc.Arbitrary<EnergyParts> = fc.record({
  alcohol: upTo(1000),
  sugars: upTo(10_000),
  polyols: upTo(2000),
  acids: upTo(2000),
  fat: upTo(2000),
  protein: upTo(2000),
})
const names = ['alcohol', 'sugars', 'polyols', 'acids', 'fat', 'protein'] as const
const none: EnergyParts = { alcohol: 0, sugars: 0, polyols: 0, acids: 0, fat: 0, protein: 0 }

test('12 % vol, 3 g/l sugar, 6 g/l acid and 7 g/l glycerol have 294 kJ and 71 kcal', () => {
  expect(computedEnergy(wine, { glycerol: '7.0' })).toEqual({ kj: 294, kcal: 71 })
})

test.each([
  ['alcohol', { ...none, alcohol: 10 }, 1 * 0.789 * 29, 1 * 0.789 * 7],
  ['sugars', { ...none, sugars: 1000 }, 170, 40],
  ['polyols', { ...none, polyols: 1000 }, 100, 24],
  ['acids', { ...none, acids: 1000 }, 130, 30],
  ['fat', { ...none, fat: 1000 }, 370, 90],
  ['protein', { ...none, protein: 1000 }, 170, 40],
] as const)('each unit has its own factor for %s', (_, parts, kj, kcal) => {
  expect(energyOf(parts)).toEqual({ kj: Math.round(kj), kcal: Math.round(kcal) })
})

test('no part lowers the energy, and the energy of two parts is their sum but for rounding', () => {
  fc.assert(
    fc.property(anyParts, fc.constantFrom(...names), upTo(500), (parts, name, more) => {
      const [less, all] = [energyOf(parts), energyOf({ ...parts, [name]: parts[name] + more })]
      const alone = energyOf({ ...none, [name]: more })
      for (const unit of ['kj', 'kcal'] as const) {
        expect(all[unit]).toBeGreaterThanOrEqual(less[unit])
        expect(Math.abs(less[unit] + alone[unit] - all[unit])).toBeLessThanOrEqual(1)
      }
    }),
  )
})

test('an energy is the nearest whole number, half rounded up', () => {
  const exact = {
    alcohol: [0.0789 * 29, 0.0789 * 7],
    sugars: [0.17, 0.04],
    polyols: [0.1, 0.024],
    acids: [0.13, 0.03],
    fat: [0.37, 0.09],
    protein: [0.17, 0.04],
  }
  fc.assert(
    fc.property(anyParts, parts => {
      const sumOf = (unit: 0 | 1) => names.reduce((sum, name) => sum + parts[name] * (exact[name][unit] ?? 0), 0)
      const { kj, kcal } = energyOf(parts)
      expect(Math.abs(kj - sumOf(0))).toBeLessThanOrEqual(0.5 + 1e-6)
      expect(Math.abs(kcal - sumOf(1))).toBeLessThanOrEqual(0.5 + 1e-6)
    }),
  )
  expect(energyOf({ ...none, polyols: 5 }).kj).toBe(1)
})

test.each(['alcohol', 'sweetness', 'acid'] as const)('without %s of the wine no energy is computed', name => {
  expect(computedEnergy({ ...wine, [name]: null }, { glycerol: '7.0' })).toBeUndefined()
})

test('without carbohydrate and glycerol no energy is computed', () => {
  expect(computedEnergy(wine, {})).toBeUndefined()
})

describe('the nutrition of a label', () => {
  const shown = (nutrition: Parameters<typeof shownNutrition>[1]) => shownNutrition(wine, nutrition)

  test('has sugars and carbohydrate computed from sweetness and glycerol', () => {
    expect(shown({ glycerol: '7.0' })).toMatchObject({
      kj: 294,
      kcal: 71,
      computed: 1,
      sugars: '0.3',
      carbohydrate: '1.0',
    })
  })

  test('has given values in place of computed values', () => {
    expect(shown({ kj: 300, kcal: 72, sugars: '0.4', carbohydrate: '1.2' })).toMatchObject({
      ...{ kj: 300, kcal: 72, computed: 0, sugars: '0.4', carbohydrate: '1.2' },
    })
  })

  test('has null for what is unknown', () => {
    expect(shown({})).toMatchObject({ kj: null, kcal: null, computed: 0, carbohydrate: null, sugars: '0.3', fat: null })
  })
})
