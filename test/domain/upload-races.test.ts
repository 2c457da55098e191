import { createHash } from 'node:crypto'
import { editCategory } from '../../shared/catalogue/category-edit.ts'
import { editProduct } from '../../shared/catalogue/products/edit.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { commitUpload } from '../../shared/media/uploads/commit.ts'
import { placeOf, uploadKey } from '../../shared/media/uploads/open.ts'
import { changeMerchant } from '../../shared/merchants/edit.ts'
import { fileExists, readFile } from '../../shared/platform/files/files.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { pictureAt, pictureKey } from '../../shared/values/picture-name.ts'
import { newProduct } from '../support/checkout.ts'
import { type Json, newShop } from '../support/harness.ts'
import { type Death, deaths, mortalRequests } from '../support/mortal-requests.ts'
import { counted } from '../support/partitions.ts'
import { pngOf } from '../support/picture-files.ts'
import { categoryOf, newWine, pictureOf, sendForm } from '../support/uploads.ts'
import { weakTable } from '../support/weak-table.ts'

// Uploads are committed while their records are edited and their files replaced. Some of the commits die at a call of the
// table, before or after it had its effect.

await weakTable()
const shop = await newShop('Kellerei Bildersturm')
const merchant = shop.id

const request = mortalRequests()

type Owner = { type: string; id: number }

/** A picture in a file of 4 KB: what follows its pixels is ignored. */
const filled = async (color: string): Promise<Buffer> => Buffer.concat([await pngOf({ color })], 4096)
const [green, red] = [await filled('#00aa00'), await filled('#aa0000')]

/** Opens an upload and sends a file; `replace` sends another file of the same size. */
const open = async (record: Owner) => {
  const kind = record.type === 'merchant' ? 'logo' : 'picture'
  const { data } = (await shop.call('files/add', { ...pictureOf(0, green), kind, record })).json
  await sendForm(data.upload, green)
  return { file: data.file as string, replace: () => sendForm(data.upload, red) }
}

const commit = (file: string, death?: Death): Promise<boolean> => request(() => commitUpload(merchant, file), death)

/** A commit that died blocks others for seconds. */
const expire = (file: string) => updateItem(uploadKey(merchant, file), { remove: ['until'] })

const wine = await newWine(shop)
const { id: product } = await newProduct(shop, { path_segment: 'bild' })
await putItem(key('category', { merchant, id: 7 }), categoryOf(7))
const records = [
  { type: 'wine', id: wine },
  { type: 'product', id: product },
  { type: 'category', id: 7 },
  { type: 'merchant', id: merchant },
]

const edits: ((text: string) => Promise<unknown>)[] = [
  description => editWine(merchant, wine, { description }),
  description => editProduct(merchant, product, { description }),
  description => editCategory(merchant, 7, { description }),
  address => changeMerchant(merchant, { address }),
]

const shown = async (): Promise<Json[]> => [
  (await shop.call('wines/get', { id: wine })).json.data,
  (await shop.call('products/get', { id: product })).json.data,
  (await shop.call('categories/get', { id: 7 })).json.data,
  (await shop.call('customers/getMy')).json.data,
]

test('commits of many files, edits of their records, replaced files and deaths leave each record whole', async () => {
  const uploads = await Promise.all(counted(24).map(n => open(records[n % records.length] as Owner)))
  const last = 8
  const edit = async (act: (text: string) => Promise<unknown>) => {
    for (const n of counted(last)) await act(`Stand ${n}`)
  }
  await Promise.all([
    ...uploads.flatMap(({ file, replace }, n) => [
      commit(file, { call: 1 + (n % 7), isAfter: n % 2 === 0 }),
      commit(file, { call: 3 + (n % 5), isAfter: n % 2 === 1 }),
      replace(),
    ]),
    ...edits.map(edit),
  ])
  for (const { file } of uploads) {
    await expire(file)
    expect(await commit(file)).toBe(true)
    expect(await getItem(uploadKey(merchant, file))).toMatchObject({ done: true })
  }
  const whole = await shown()
  expect(whole.map(one => one.description ?? one.address)).toEqual(Array(4).fill(`Stand ${last}`))
  for (const { image } of whole) {
    const picture = pictureAt(image)
    expect(picture && (await fileExists(pictureKey(picture)))).toBe(true)
  }
}, 120_000)

test.each(deaths(6))('a commit that dies at a call of the table is repeated once: %j', async death => {
  const id = await newWine(shop)
  const { file } = await open({ type: 'wine', id })
  await commit(file, death)
  const versionOf = async () => (await getItem(key('wine', { merchant, id })))?.version
  const [before, { done } = {}] = [await versionOf(), await getItem(uploadKey(merchant, file))]
  await expire(file)
  expect(await commit(file)).toBe(true)
  expect(await versionOf()).toBe(done ? before : Number(before) + 1)
  expect((await shop.call('wines/get', { id })).json.data.image).toMatch(/^\/Images\/wine\//)
  if (!done) expect(await fileExists(placeOf(merchant, file))).toBe(false)
})

test('a file that is replaced while it is committed is shown whole', async () => {
  const id = await newWine(shop)
  for (const _ of counted(10)) {
    const { file, replace } = await open({ type: 'wine', id })
    const [isDone] = await Promise.all([commit(file), replace()])
    expect(isDone).toBe(true)
    const { image } = (await shop.call('wines/get', { id })).json.data
    const picture = pictureAt(image)
    const { body = Buffer.of() } = (picture && (await readFile(pictureKey(picture)))) ?? {}
    expect(image).toContain(createHash('sha256').update(body).digest('hex').slice(0, 32))
  }
})

test('64 commits of one file at once change its record once', async () => {
  const id = await newWine(shop)
  const { file } = await open({ type: 'wine', id })
  expect(await Promise.all(counted(64).map(() => commit(file)))).toEqual(Array(64).fill(true))
  expect((await getItem(key('wine', { merchant, id })))?.version).toBe(2)
})
