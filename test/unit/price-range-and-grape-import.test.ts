import fc from 'fast-check'
import { grapes as grapeKind } from '../../lib/tool/imports/grapes.ts'
import { type PriceRangeRow, priceRanges as rangeKind } from '../../lib/tool/imports/price-ranges.ts'
import type { Grape } from '../../shared/contract/records/grape.ts'
import type { PriceRange } from '../../shared/contract/records/price-range.ts'
import { nothing, someText, throughCsv, throughJson } from '../support/record-files.ts'

const { format: grapeFormat } = grapeKind
const { format: priceRangeFormat } = rangeKind
const planGrapes = (grapes: Grape[], rows: readonly Grape[]) => grapeKind.plan({ version: 0, grapes }, rows)
const planPriceRanges = (ranges: PriceRange[], rows: readonly PriceRangeRow[]) =>
  rangeKind.plan({ version: 0, ranges }, rows)

const named = fc.uniqueArray(someText, { maxLength: 6 }).map(names => names.map((name, n) => ({ id: 2 * n + 1, name })))

test('an export of price ranges or grapes imported again changes nothing', () => {
  fc.assert(
    fc.property(named, records => {
      const ranges = rangeKind.exportRows({ version: 0, ranges: records }).rows
      const grapes = grapeKind.exportRows({ version: 0, grapes: records }).rows
      for (const through of [throughCsv, throughJson]) {
        expect(planPriceRanges(records, through(priceRangeFormat, ranges))).toEqual(nothing(records.length))
        expect(planGrapes(records, through(grapeFormat, grapes))).toEqual(nothing(records.length))
      }
    }),
    { numRuns: 50 },
  )
})

test('a price range is identified by its name', () => {
  const plan = planPriceRanges([{ id: 1, name: 'Gastronomie' }], [{ name: 'Gastronomie' }, { name: 'gastronomie' }])
  expect(plan).toEqual({ ...nothing(1), additions: [{ name: 'gastronomie' }] })
  expect(priceRangeFormat.parseRow({ name: '  ' }, 2).problems).toEqual([
    { line: 2, column: 'name', rule: 'required', expected: 'given' },
  ])
})

test('a grape that only the merchant has is imported with a warning that names the grape of the interface', () => {
  const warningOf = (id: number, name: string) => grapeKind.warningOf?.({ id, name })
  expect(warningOf(129, 'Riesling')).toBeUndefined()
  expect(warningOf(141, 'Cabernet Dorio')).toMatch(/shows? grapetypes\.141\.name/)
  expect(warningOf(200_001, 'Hagebutte')).toMatch(/show grapetypes\.200001\.name for Hagebutte$/)
  expect(warningOf(100_070, 'Syrah/Shiraz')).toMatch(/grapetypes\.100070\.name .*; with the id 122 they name Syrah$/)
})

test('a grape keeps its id and may be renamed', () => {
  const grape = { id: 3, name: 'Riesling' }
  const row = { id: 3, name: 'Rheinriesling' }
  const fields = [{ name: 'name', from: 'Riesling', to: 'Rheinriesling' }]
  expect(planGrapes([grape], [row])).toEqual({ ...nothing(0), changes: [{ record: grape, row, fields }] })
  expect(grapeFormat.parseRow({ id: '0', name: 'Riesling' }, 2).problems).toEqual([
    { line: 2, column: 'id', rule: 'id', expected: 'a positive whole number' },
  ])
})
