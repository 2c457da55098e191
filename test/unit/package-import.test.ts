import fc from 'fast-check'
import { packages as kind, type PackageRow, packagesFrom, planPackages } from '../../lib/tool/imports/packages.ts'
import type { Package } from '../../shared/contract/records/package.ts'
import type { PackagesItem } from '../../shared/platform/table/items.ts'
import { nothing, someMoney, throughCsv, throughJson } from '../support/record-files.ts'

const { format: packageFormat } = kind
const exportPackages = (packages: Package[]) => kind.exportRows({ version: 0, packages, last: 0 }).rows
const none: PackagesItem = { packages: [], last: 0 }
const row = (min_bottles: number | null, max_bottles: number | null, gross = '5.90', id?: number): PackageRow => ({
  ...(id !== undefined && { id }),
  min_bottles,
  max_bottles,
  gross,
  taxrate: 19,
})
const idsOf = ({ packages }: PackagesItem) => packages.map(({ id }) => id)

// Neighbouring ranges from widths: they never overlap, and the last may be open.
const arbitraryRows = fc
  .tuple(fc.array(fc.tuple(fc.nat(5), someMoney, fc.constantFrom(0, 7, 19)), { maxLength: 6 }), fc.boolean())
  .map(([parts, isOpen]) => {
    let next = 1
    return parts.map(([width, gross, taxrate], n): PackageRow => {
      const min_bottles = next
      next += width + 1
      const isLast = n === parts.length - 1
      return { min_bottles, max_bottles: isOpen && isLast ? null : next - 1, gross, taxrate }
    })
  })

describe('an export of packages', () => {
  test('imported again changes nothing, as CSV and as JSON', () => {
    fc.assert(
      fc.property(arbitraryRows, rows => {
        const item = packagesFrom(none, rows, 7)
        const exported = exportPackages(item.packages)
        for (const read of [exported, throughCsv(packageFormat, exported), throughJson(packageFormat, exported)]) {
          expect(planPackages(item.packages, read)).toEqual(nothing(rows.length))
          expect(packagesFrom(item, read, 7)).toEqual(item)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('a list of packages', () => {
  test('becomes records with all columns of their prices', () => {
    expect(packagesFrom(none, [row(19, null, '11.90')], 7)).toEqual({
      packages: [
        {
          id: 1,
          type: 'bottles',
          min_bottles: 19,
          max_bottles: null,
          min_weight: null,
          max_weight: null,
          gross: '11.90',
          net: '10.00',
          tax: '1.90',
          taxrate: 19,
          customers_id: 7,
        },
      ],
      last: 1,
    })
  })

  test('keeps the id of a range that stays and never reuses an id', () => {
    const first = packagesFrom(none, [row(1, 6), row(7, 12), row(13, null)], 7)
    expect(idsOf(first)).toEqual([1, 2, 3])
    const second = packagesFrom(first, [row(1, 6, '6.90'), row(7, 18)], 7)
    expect(idsOf(second)).toEqual([1, 4])
    const third = packagesFrom(second, [row(19, null), row(7, 18)], 7)
    expect(idsOf(third)).toEqual([5, 4])
  })

  test('moves a package to another range by its id', () => {
    const first = packagesFrom(none, [row(1, 6), row(7, 12)], 7)
    const rows = [row(1, 3, '5.90', 1), row(4, 12, '6.90', 2)]
    const { changes, removals, additions } = planPackages(first.packages, rows)
    expect(changes.map(({ record, fields }) => [record.id, fields.map(({ name }) => name)])).toEqual([
      [1, ['max_bottles']],
      [2, ['min_bottles', 'gross']],
    ])
    expect([removals, additions]).toEqual([[], []])
    expect(idsOf(packagesFrom(first, rows, 7))).toEqual([1, 2])
  })
})

describe('a plan of packages', () => {
  const { packages } = packagesFrom(none, [row(1, 6), row(7, 12)], 7)

  test('shows ranges that are missing in the file as removed', () => {
    const plan = planPackages(packages, [row(1, 6), row(7, null)])
    expect(plan).toMatchObject({ unchanged: 1, additions: [row(7, null)], changes: [], refusals: [] })
    expect(plan.removals).toEqual([packages[1]])
  })

  test.each<[string, PackageRow[], object]>([
    ['ranges that share a bottle', [row(1, 6), row(6, 12)], { line: 2, column: 'min_bottles', rule: 'overlap' }],
    ['a range inside an open one', [row(null, null), row(3, 4)], { line: 2, column: 'min_bottles', rule: 'overlap' }],
    ['an id given twice', [row(1, 2, '1.00', 9), row(3, 4, '1.00', 9)], { line: 2, column: 'id', rule: 'duplicate' }],
  ])('refuses %s', (_, rows, refusal) => {
    expect(planPackages([], rows).refusals).toEqual([expect.objectContaining(refusal)])
  })

  test('names the line of the other range in the file', () => {
    const [refusal] = planPackages([], [row(1, 6), row(2, 3)], [2, 5]).refusals
    expect(refusal).toEqual({
      line: 5,
      column: 'min_bottles',
      rule: 'overlap',
      expected: 'outside the range of line 2',
    })
  })
})

describe('a row of a package', () => {
  test.each([
    [{ taxrate: '19' }, 'gross', 'required'],
    [{ gross: '5.90' }, 'taxrate', 'required'],
    [{ gross: '5.90', taxrate: '19', min_bottles: '6', max_bottles: '1' }, 'max_bottles', 'range'],
    [{ gross: '5.90', taxrate: '19', min_weight: '6', max_weight: '1' }, 'max_weight', 'range'],
    [{ gross: '5.90', taxrate: '19', type: 'weight' }, 'type', 'one_of'],
    [{ gross: '5.90', taxrate: '19', min_bottles: 'some' }, 'min_bottles', 'whole_number'],
    [{ gross: '5.90', net: '5.00', taxrate: '19' }, 'gross', 'price_inconsistent'],
  ])('is refused for %j', (cells, column, rule) => {
    expect(packageFormat.parseRow(cells, 4)).toEqual({
      row: null,
      problems: [{ line: 4, column, rule, expected: expect.any(String) }],
    })
  })

  test('may contain its net price', () => {
    const { row: read } = packageFormat.parseRow({ net: '10.00', taxrate: '19', max_bottles: '' }, 2)
    expect(read).toEqual({ net: '10.00', tax: '1.90', gross: '11.90', taxrate: 19, max_bottles: null })
  })
})
