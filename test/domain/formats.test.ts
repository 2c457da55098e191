import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { type Format, formats, UnknownFormat } from '../../shared/platform/table/formats.ts'
import { type Key, key, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import {
  deleteItem,
  getItem,
  getItems,
  putItem,
  query,
  tableClient,
  tableName,
  updateItem,
} from '../../shared/platform/table/table.ts'
import { put, transact, update } from '../../shared/platform/table/transact.ts'

// Categories stand for whatever changes its format one day: `heading` became `name` first, then ranks began at zero.

type Upgrades = Format['upgrades']
const renamed: Upgrades[number] = ({ heading, ...rest }) => ({ ...rest, name: heading })
const counted: Upgrades[number] = ({ rank, ...rest }) => ({ ...rest, rank: Number(rank) - 1 })

/** Runs as a release does that knows so many upgrades and writes one format. */
const release = async <Result>(written: number, upgrades: Upgrades, act: () => Promise<Result>): Promise<Result> => {
  formats.category = { written, upgrades }
  return act().finally(() => {
    delete formats.category
  })
}

const newMerchant = async (): Promise<MerchantId> => merchantIdOf((await createMerchant({ name: 'Wandel' })).id)
const place = (merchant: MerchantId, id = 1) => key('category', { merchant, id })
const read = (merchant: MerchantId, id = 1) => getItem(place(merchant, id))
const write = (merchant: MerchantId, item: object, id = 1) => putItem(place(merchant, id), item as never)

/** An item as it lies in the table. */
const rawItem = async ({ pk, sk }: Key): Promise<unknown> =>
  (await tableClient.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))).Item

test('an item of each older format is read as one of the newest, by every read function', async () => {
  const merchant = await newMerchant()
  await write(merchant, { heading: 'Rot', rank: 1 }, 1)
  await release(2, [renamed], () => write(merchant, { name: 'Weiß', rank: 2 }, 2))
  const both = [renamed, counted]
  await release(3, both, async () => {
    await transact([put('one', place(merchant, 3), { name: 'Rosé', rank: 2 } as never)])
    const all = [
      { name: 'Rot', rank: 0 },
      { name: 'Weiß', rank: 1 },
      { name: 'Rosé', rank: 2 },
    ]
    expect(await query({ pk: partition('category', { merchant }) })).toEqual(all)
    expect(await getItems([1, 2, 3].map(id => place(merchant, id)))).toEqual(all)
    expect(await read(merchant, 1)).toEqual(all[0])
    expect(await deleteItem(place(merchant, 1))).toEqual(all[0])
  })
})

test('reading writes nothing to the table; an item that is written again has the newest format', async () => {
  const merchant = await newMerchant()
  await write(merchant, { heading: 'Rot', rank: 1 })
  await release(2, [renamed], () => read(merchant))
  expect(await rawItem(place(merchant))).toMatchObject({ heading: 'Rot' })
  await release(2, [renamed], async () => write(merchant, (await read(merchant)) ?? {}))
  expect(await rawItem(place(merchant))).toEqual({ ...place(merchant), name: 'Rot', rank: 1, format: 2 })
})

test('a release that knows the next format reads both, and writes the present one', async () => {
  const merchant = await newMerchant()
  await release(2, [renamed], () => write(merchant, { name: 'Rot' }))
  await release(1, [renamed], async () => {
    expect(await read(merchant)).toEqual({ name: 'Rot' })
    await write(merchant, { heading: 'Weiß' })
  })
  expect(await read(merchant)).toEqual({ heading: 'Weiß' })
})

test.each([
  [[]],
  [[renamed]],
])('an item of a format that a release does not know is refused, not misread', async upgrades => {
  const merchant = await newMerchant()
  await release(3, [renamed, counted], () => write(merchant, { name: 'Rot', rank: 0 }))
  await expect(release(1, upgrades, () => read(merchant))).rejects.toThrow(UnknownFormat)
  await expect(read(merchant)).rejects.toThrow(/is of format 3, which a later release must have written/)
  await release(2, [renamed], () => write(merchant, { name: 'Rot' }, 2))
  await expect(read(merchant, 2)).rejects.toThrow(/is of format 2, which a later release must have written/)
})

test('an item of a kind with formats is not changed in place, nor in a transaction', async () => {
  const merchant = await newMerchant()
  await write(merchant, { heading: 'Rot', rank: 1 })
  const change = { set: { rank: 2 } } as never
  await release(2, [renamed], async () => {
    await expect(updateItem(place(merchant), change)).rejects.toThrow('category has formats')
    await expect(transact([update('one', place(merchant), change)])).rejects.toThrow('category has formats')
  })
  expect(await rawItem(place(merchant))).toMatchObject({ heading: 'Rot', rank: 1 })
})
