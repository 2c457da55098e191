import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { supplyImages } from '../../lib/tool/images.ts'
import { keepPicture } from '../../shared/media/pictures/supply.ts'
import { fileExists } from '../../shared/platform/files/files.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { objectKeys, type PictureKind, type PictureName, pictureAt } from '../../shared/values/picture-name.ts'
import { fetchRaw } from '../support/pdf-files.ts'
import { pngOf } from '../support/picture-files.ts'
import { newFolder } from '../support/tool.ts'
import { newWineShop } from '../support/wine-shop.ts'

const shop = await newWineShop()
const folder = await newFolder()

let colors = 0
/** A folder with pictures of colours that no other has, called so. */
const files = async (...names: string[]): Promise<string> => {
  const path = folder.path('pictures')
  await mkdir(path)
  for (const name of names) {
    // Far from each other: WebP makes the same bytes of colours that hardly differ.
    const color = `#${(++colors * 0x0b1d37).toString(16).padStart(6, '0')}`
    await writeFile(join(path, name), await pngOf({ width: 600, height: 900, color }))
  }
  return path
}

/** Supplies a new picture to the record of a name. */
const supply = async (name: string, kind: PictureKind = 'wine', merchant = shop.id) => {
  const path = kind === 'merchant' ? join(await files(`${name}.png`), `${name}.png`) : await files(`${name}.png`)
  expect(await supplyImages(merchant, { path, kind, progress: () => {} })).toEqual({ taken: 1, refused: [] })
}

/** Which objects there are of a picture. */
const objectsOf = async (path: string): Promise<string[]> => {
  const keys = objectKeys(pictureAt(path) as PictureName)
  const found = await Promise.all(keys.map(async key => ((await fileExists(key)) ? [key] : [])))
  return found.flat()
}
const statusesOf = (path: string) =>
  Promise.all(['', '?height=300', '?width=200'].map(async size => (await fetchRaw(path + size)).status))

const pictured = async (articlenumber: string) => {
  const { id } = await shop.added({ articlenumber, public: 1, shop: 1 })
  await supply(articlenumber)
  const { image } = await shop.get(id)
  expect(await statusesOf(image)).toEqual([200, 200, 200])
  return { id, image: image as string }
}

test('a picture is deleted with its sizes when the tool replaces it', async () => {
  const { id, image } = await pictured('gone')
  expect(await objectsOf(image)).toHaveLength(4)
  await supply('gone')
  expect(await objectsOf(image)).toEqual([])
  expect(await statusesOf(image)).toEqual([404, 404, 404])
  expect(await statusesOf((await shop.get(id)).image)).toEqual([200, 200, 200])
})

test('of two pictures for one wine in a folder the first is deleted', async () => {
  const { id } = await shop.added({ articlenumber: 'twice' })
  const path = await files('twice.jpg', 'twice.png')
  const first = await keepPicture('wine', String(id), await readFile(join(path, 'twice.jpg')))
  if ('refused' in first) throw new Error(first.refused)
  expect(await supplyImages(shop.id, { path, kind: 'wine', progress: () => {} })).toMatchObject({ taken: 2 })
  expect(await objectsOf(first.path)).toEqual([])
  expect(await statusesOf((await shop.get(id)).image)).toEqual([200, 200, 200])
})

test('the same picture again stays as it is', async () => {
  const { id } = await shop.added({ articlenumber: 'same' })
  const path = await files('same.png')
  for (let n = 0; n < 2; n++) await supplyImages(shop.id, { path, kind: 'wine', progress: () => {} })
  expect(await statusesOf((await shop.get(id)).image)).toEqual([200, 200, 200])
})

const ordered = async (id: number) => {
  const { status, json } = await shop.call('orders/add', {
    data: {
      payment_type: 'invoice',
      items: [{ item_type: 'wine', item_id: id, quantity: 1 }],
      billing: { last_name: 'Adler', address: 'Am Hang 3', zip: '01067', city: 'Dresden', countrycode: 'de' },
    },
  })
  expect(status).toBe(200)
  return json.data.id
}

test('the picture of a sold wine stays for ever, however many orders follow', async () => {
  const { id, image } = await pictured('sold')
  const other = await shop.added({ shop: 1 })
  const order = await ordered(id)
  await Promise.all(Array.from({ length: 30 }, () => ordered(other.id)))
  await supply('sold')
  const { json } = await shop.call('orders/get', { id: order, include: 'items' })
  expect(json.data.positions[0].item.image).toBe(image)
  expect(await statusesOf(image)).toEqual([200, 200, 200])
})

test('a picture that another record names stays', async () => {
  const { image } = await pictured('original')
  const copy = await shop.added({ articlenumber: 'copy', image })
  await supply('original')
  expect(copy.image).toBe(image)
  expect(await statusesOf(image)).toEqual([200, 200, 200])
})

test('a picture at the end of a sentence of a text stays', async () => {
  const { id, image } = await pictured('described')
  await shop.added({ description: `The bottle is at https://shop.example${image}.\nThe label is not.` })
  await supply('described')
  expect((await shop.get(id)).image).not.toBe(image)
  expect(await statusesOf(image)).toEqual([200, 200, 200])
})

test('a picture of another merchant is not deleted by a merchant who names it', async () => {
  const other = await newWineShop()
  const { image } = await pictured('theirs')
  const { id } = await other.added({ articlenumber: 'mine', image })
  await supply('mine', 'wine', other.id)
  expect((await other.get(id)).image).not.toBe(image)
  expect(await statusesOf(image)).toEqual([200, 200, 200])
})

test('a logo stays, because sent mails show it', async () => {
  const logo = async () => (await getItem(key('merchant', { merchant: shop.id })))?.image ?? ''
  await supply('logo', 'merchant')
  const before = await logo()
  await supply('logo', 'merchant')
  expect(before).toMatch(/^\/Images\/merchant\//)
  expect(await statusesOf(before)).toEqual([200, 200, 200])
})
