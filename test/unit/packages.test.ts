import fc from 'fast-check'
import { bottleCount, choosePackages, type PackageRange } from '../../shared/orders/shipping/choice.ts'
import { isFree } from '../../shared/orders/shipping/cost.ts'

const range = (id: number, min: number | null, max: number | null, type = 'bottles'): PackageRange => ({
  id,
  type,
  min_bottles: min,
  max_bottles: max,
})

const usual = [range(1, 1, 6), range(2, 7, 12), range(3, 13, null)]

describe('the package of an order', () => {
  test.each([
    [1, 1],
    [6, 1],
    [7, 2],
    [12, 2],
    [13, 3],
    [499_950, 3],
  ])('for %p bottles is the one whose range contains them, both ends included', (bottles, id) => {
    expect(choosePackages(usual, bottles)?.chosen.id).toBe(id)
  })

  test('is none if there is nothing to pack, or the merchant has no packages', () => {
    expect(choosePackages(usual, 0)).toBeUndefined()
    expect(choosePackages([], 6)).toBeUndefined()
    expect(choosePackages([range(1, 1, 6, 'weight')], 6)).toBeUndefined()
  })

  test('is the next larger one if the bottles are in a gap, or below the smallest', () => {
    expect(choosePackages([range(1, 2, 6), range(2, 12, 18), range(3, 12, 24)], 7)).toMatchObject({
      chosen: { id: 2 },
      quantity: 1,
    })
    expect(choosePackages([range(1, 2, 6), range(2, 12, 18)], 1)).toMatchObject({ chosen: { id: 1 }, quantity: 1 })
  })

  test.each([
    [13, 2],
    [24, 2],
    [25, 3],
    [499_950, 41_663],
  ])('for %p bottles, if the largest takes 12, is the largest, %p times', (bottles, quantity) => {
    const packages = [range(1, 1, 6), range(2, 7, 12)]
    expect(choosePackages(packages, bottles)).toEqual({ chosen: packages[1], quantity })
  })

  test('is chosen by the upper ends of ranges if none contains the bottles, not by their width', () => {
    const packages = [range(1, 1, 12), range(2, 20, 24)]
    expect(choosePackages(packages, 30)).toEqual({ chosen: packages[1], quantity: 2 })
    const gap = [range(1, 30, 34), range(2, 13, 24)]
    expect(choosePackages(gap, 10)).toEqual({ chosen: gap[1], quantity: 1 })
  })

  test('takes all bottles, whatever the ranges, with no package too many', () => {
    const bound = fc.integer({ min: 1, max: 20 })
    const ranges = fc.array(fc.record({ min: bound, span: bound }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 500 }), (list, bottles) => {
        const packages = list.map(({ min, span }, id) => range(id + 1, min, min + span))
        const { chosen, quantity } = choosePackages(packages, bottles) ?? { chosen: range(0, 0, 0), quantity: 0 }
        const room = chosen.max_bottles ?? 0
        expect(room * quantity).toBeGreaterThanOrEqual(bottles)
        expect(room * (quantity - 1)).toBeLessThan(bottles)
      }),
    )
  })

  test('is never one by weight', () => {
    expect(choosePackages([range(1, 1, 6, 'weight'), range(2, 1, 12)], 3)?.chosen.id).toBe(2)
  })

  test('has no lower end by default', () => {
    expect(choosePackages([range(1, null, 6)], 1)?.chosen.id).toBe(1)
  })

  test('is the narrowest of overlapping ranges, then the one with the lowest id', () => {
    expect(choosePackages([range(1, 1, null), range(2, 1, 12), range(3, 4, 8)], 6)?.chosen.id).toBe(3)
    expect(choosePackages([range(9, 1, 6), range(4, 2, 7)], 3)?.chosen.id).toBe(4)
    expect(choosePackages([range(1, 1, null), range(5, 7, null)], 8)?.chosen.id).toBe(5)
  })

  test('is the narrowest also at the ends of ranges', () => {
    const packages = [range(1, 1, 12), range(2, 6, 9)]
    expect([5, 6, 9, 10].map(bottles => choosePackages(packages, bottles)?.chosen.id)).toEqual([1, 2, 2, 1])
  })

  test('does not depend on the order of the packages', () => {
    const bound = fc.integer({ min: 0, max: 20 })
    const ranges = fc.array(fc.record({ min: bound, span: fc.option(bound) }), { maxLength: 8 })
    fc.assert(
      fc.property(ranges, bound, (list, bottles) => {
        const packages = list.map(({ min, span }, id) => range(id + 1, min, span === null ? null : min + span))
        expect(choosePackages(packages.toReversed(), bottles)).toEqual(choosePackages(packages, bottles))
      }),
    )
  })
})

describe('bottles', () => {
  test('is the quantity of wines, and of products the quantity by the package quantity', () => {
    expect(
      bottleCount([{ quantity: 4 }, { quantity: 2, package_quantity: 6 }, { quantity: 5, package_quantity: 0 }]),
    ).toBe(16)
  })

  test('is one for a product without a package quantity', () => {
    expect(bottleCount([{ quantity: 3, package_quantity: null }])).toBe(3)
    expect(bottleCount([])).toBe(0)
  })
})

describe('free shipping', () => {
  test('begins at the limit, not a cent below', () => {
    expect(isFree(10_000, 10_000)).toBe(true)
    expect(isFree(9_999, 10_000)).toBe(false)
  })

  test('is not granted without a limit', () => {
    expect(isFree(1_000_000, null)).toBe(false)
  })
})
