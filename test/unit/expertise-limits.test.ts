import { drawSheet } from '../../shared/documents/expertise/sheet.ts'
import { pageCount, textOf } from '../support/expertise-sheet-reader.ts'
import { full, manyDetails } from '../support/expertise-sheet-samples.ts'
import { hostileTexts, hostileWine } from '../support/hostile-sheets.ts'
import { takeMeasured } from '../support/measured-texts.ts'
import { sampleUnlessAll } from '../support/sampling.ts'

beforeEach(() => {
  takeMeasured()
})

const kinds = ['letters between no-break spaces', 'narrow letters', 'hyphens', 'combining marks', 'every kind at once']

test.each(
  sampleUnlessAll(kinds, 4),
)('a wine whose texts are all %s, at their longest, is drawn with little measuring', async name => {
  const { wine, details } = hostileWine(hostileTexts[name] ?? '')
  expect(pageCount(await drawSheet(wine, details))).toBe(1)
  const measured = takeMeasured()
  expect(measured).toBeGreaterThan(1000)
  expect(measured).toBeLessThan(350_000)
})

describe('a sheet that exceeds its limit of measuring', () => {
  const described = { ...full, description: 'Ein Satz vom Wein. '.repeat(500) }
  const few = 5000

  test('is drawn without its texts', async () => {
    const sheet = await drawSheet(described, manyDetails, few)
    expect(pageCount(sheet)).toBe(1)
    const text = textOf(sheet)
    for (const words of ['Berg Schlossberg', '2021', 'Rheingau, Deutschland', '24,90 €']) expect(text).toContain(words)
    for (const words of ['Satz', 'Quarzit', 'Blaufränkisch']) expect(text).not.toContain(words)
  })

  test('is the same every time', async () => {
    const [first, again] = [await drawSheet(described, {}, few), await drawSheet(described, {}, few)]
    expect(again.equals(first)).toBe(true)
  })

  test('is cheap even if its remaining texts are at their longest', async () => {
    const { wine, details } = hostileWine(hostileTexts['narrow letters'] ?? '')
    await drawSheet(wine, details, few)
    expect(takeMeasured()).toBeLessThan(50_000)
  })
})
