import type { Fields } from '../../lib/smoke/walk.ts'
import { newShop } from '../support/harness.ts'
import { walkInProcess } from '../support/smoke-walk.ts'

// Shop software that was written for this interface sends numbers as text, says `filter` and `inshop` to every Service
// route, and more that no route knows.

const textOf = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, textOf(one)]))
}

const page = { filter: { shop: true }, inshop: true, lazy: false, submitted: '1' }

const dialect = (path: string, fields: Fields) => ({
  fields: path.startsWith('/service/') ? { ...page, ...(textOf(fields) as Fields) } : fields,
  headers: { 'user-agent': 'api-connector', origin: 'shop.example' },
})

test('every route answers existing shop software the same as a caller who follows the reference', async () => {
  const shop = await newShop('Kellerei Bestand', ['invoice', 'prepaid', 'paypal'])
  expect(await walkInProcess(shop, { dialect, isInShop: true })).toEqual([])
})
