import fc from 'fast-check'
import { boundedValues } from '../../shared/catalogue/wines/public-lists.ts'

const values = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,6}$/),
  fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 30 }),
  { maxKeys: 6 },
)

test('values within the limit are returned whole', () => {
  fc.assert(fc.property(values, all => expect(boundedValues(all)).toEqual({ data: all })))
})

test('beyond the limit the first values are returned, with the names of the cut fields', () => {
  fc.assert(
    fc.property(values, fc.nat(400), (all, room) => {
      const { data, cut = [] } = boundedValues(all, room)
      expect(Object.keys(data)).toEqual(Object.keys(all))
      for (const [field, some] of Object.entries(data)) {
        expect(some).toEqual(all[field]?.slice(0, some.length))
        expect(some.length < (all[field]?.length ?? 0)).toBe(cut.includes(field))
      }
      const bytes = Object.values(data)
        .flat()
        .reduce<number>((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)) + 1, 0)
      expect(bytes).toBeLessThanOrEqual(room)
    }),
  )
})

test('a field with few values is whole next to one with very many', () => {
  const slugs = Array.from({ length: 200_000 }, (_, n) => `wein-${n}`)
  const { data, cut } = boundedValues({ path_segment: slugs, type: ['red', 'white'], language: ['de'] })
  expect([data.type, data.language, cut]).toEqual([['red', 'white'], ['de'], ['path_segment']])
  expect(data.path_segment?.length).toBeGreaterThan(100_000)
  expect(JSON.stringify(JSON.stringify(data)).length).toBeLessThan(4_000_000)
})
