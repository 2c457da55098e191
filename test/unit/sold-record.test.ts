import { randomBytes } from 'node:crypto'
import {
  itemOf,
  type OrderRecord,
  orderOf,
  pack,
  packSold,
  type SoldItems,
  unpack,
  unpackSold,
} from '../../shared/orders/record.ts'

const line = (item: object) =>
  ({
    item_type: 'wine',
    item_id: 1,
    name: 'Silvaner',
    quantity: 2,
    taxrate: 19,
    item,
  }) as unknown as SoldItems['positions'][number]
const partsOf = (sold: SoldItems) => packSold(sold).map(doc => ({ doc }))

test('an order is stored as text, under its uuid and version', () => {
  const order = { header: { uuid: 'one', id: 4 }, parts: 1 } as OrderRecord
  expect(itemOf(order, 3)).toEqual({ uuid: 'one', version: 3, doc: JSON.stringify(order) })
  expect(orderOf(itemOf(order, 3))).toEqual(order)
})

test('sold records are restored unchanged, the package as well', () => {
  const sold = { positions: [line({ id: 1, description: 'ü'.repeat(5000) })], package: line({ id: 2 }) }
  expect(unpackSold(partsOf(sold))).toEqual(sold)
  expect(packSold(sold)).toHaveLength(1)
  expect(unpack(pack(sold))).toEqual(sold)
})

test('sold records that are too large for one item are cut into parts below 350 KB, and joined again', () => {
  const noise = Array.from({ length: 30 }, () => line({ description: randomBytes(22_500).toString('base64') }))
  const parts = packSold({ positions: noise, package: null })
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.map(({ length }) => length).slice(0, -1)).toEqual(Array(parts.length - 1).fill(350_000))
  expect(parts.at(-1)?.length).toBeLessThanOrEqual(350_000)
  expect(unpackSold(parts.map(doc => ({ doc })))).toEqual({ positions: noise, package: null })
})

describe('sold records of before the size limit', () => {
  const long = { id: 1, description: 'x'.repeat(41_000) }
  /** 50 lines whose JSON takes so many bytes. */
  const soldOf = (bytes: number): SoldItems => {
    const bare = { positions: Array.from({ length: 50 }, () => line(long)), package: line({ pad: '' }) }
    const pad = 'x'.repeat(bytes - JSON.stringify(bare).length)
    return { ...bare, package: line({ pad }) }
  }
  const most = 50 * (40 * 1024 + 1024)

  test('are returned unchanged if all fit into an answer', () => {
    const sold = soldOf(most)
    expect(unpackSold(partsOf(sold))).toEqual(sold)
  })

  test('are cut beyond that, and other fields of the lines are not', () => {
    const sold = soldOf(most + 1)
    const read = unpackSold(partsOf(sold))
    expect(read.package).toEqual(sold.package)
    expect(read.positions).toHaveLength(50)
    for (const { item, ...rest } of read.positions) {
      expect(rest).toMatchObject({ name: 'Silvaner', quantity: 2 })
      expect(JSON.stringify(item).length).toBeLessThanOrEqual(40 * 1024)
    }
  })
})
