import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { supplyImages } from '../../lib/tool/images.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { keepPicture } from '../../shared/media/pictures/supply.ts'
import { readFile, writeFile as writeObject } from '../../shared/platform/files/files.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import {
  objectKeys,
  ownerOf,
  type PictureName,
  pictureAt,
  pictureKey,
  pictureOf,
  picturePath,
} from '../../shared/values/picture-name.ts'
import { call } from '../support/harness.ts'
import { download, fetchRaw } from '../support/pdf-files.ts'
import { noise, pngOf } from '../support/picture-files.ts'
import { newFolder, tool } from '../support/tool.ts'
import { untilPublished } from '../support/until-published.ts'
import { newWineShop } from '../support/wine-shop.ts'

const shop = await newWineShop()
const [files, sheets] = [await newFolder(), await newFolder()]
const fileOf = async (name: string, bytes: Buffer, folder = files): Promise<string> => {
  const path = folder.path('folder').replace(/\d+\.folder$/, name)
  await writeFile(path, bytes)
  return path
}
const kept = async (id: number, bytes: Buffer): Promise<string> => {
  const picture = await keepPicture('wine', ownerOf('wine', shop.id, id), bytes)
  if ('refused' in picture) throw new Error(picture.refused)
  return picture.path
}
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}
const statusOf = async (path: string) => {
  const { status, json } = await call(path, undefined, { method: 'GET' })
  return [status, json.error]
}

const { id } = await shop.added()
const path = await kept(id, await pngOf({ width: 600, height: 900 }))

describe('a picture', () => {
  test('is public and cached for ever, whether or not its wine is public', async () => {
    const { status, headers, bytes } = await fetchRaw(path)
    expect([status, await sizeOf(bytes)]).toEqual([200, [600, 900, 'webp']])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-length': String(bytes.length),
    })
    expect(headers.get('etag')).toMatch(/^"\w+"$/)
  })

  test.each([
    '',
    '?width=600',
    '?height=640',
    '?width=1',
  ])('with %j answers HEAD without bytes, and 304 to a client that has it', async size => {
    const head = await fetchRaw(path + size, {}, 'HEAD')
    const whole = await fetchRaw(path + size)
    const etag = whole.headers.get('etag') ?? ''
    expect([head.status, head.bytes.length, head.headers.get('etag')]).toEqual([200, 0, etag])
    const again = await fetchRaw(path + size, { 'if-none-match': etag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect(again.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test.each<[string, [number, number]]>([
    ['?height=300', [213, 320]],
    ['?width=150', [160, 240]],
    ['?width=150&height=150', [107, 160]],
    ['?width=1&height=2000', [160, 240]],
    ['?width=2000', [600, 900]],
    ['?unknown=1', [600, 900]],
  ])('with %s is of the next size, proportional and never enlarged', async (query, size) => {
    const [first, again] = [await fetchRaw(path + query), await fetchRaw(path + query)]
    expect([first.status, await sizeOf(first.bytes)]).toEqual([200, [...size, 'webp']])
    expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')])
    expect(again.bytes.equals(first.bytes)).toBe(true)
  })

  test('is resized once for 64 concurrent requests', async () => {
    const own = await kept(id, await pngOf({ width: 500, height: 700, color: '#123456' }))
    const answers = await Promise.all(Array.from({ length: 64 }, () => fetchRaw(`${own}?height=350`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const all = new Set(answers.map(({ bytes, headers }) => `${headers.get('etag')} ${bytes.toString('base64')}`))
    expect(all.size).toBe(1)
    const bytes = answers[0]?.bytes ?? Buffer.of()
    const stored = await Promise.all(objectKeys(pictureAt(own) as PictureName).map(key => readFile(key)))
    expect(stored.filter(file => file?.body.equals(bytes))).toHaveLength(1)
  })

  test('above 4 MB redirects to a presigned link', async () => {
    const large = pictureOf('wine', String(id), `${'5'.repeat(32)}-3000x2600.webp`) as PictureName
    const own = randomBytes(4 * 1024 * 1024 + 1)
    await writeObject(pictureKey(large), own, 'image/webp', 'only if absent')
    const { status, headers, bytes } = await fetchRaw(picturePath(large))
    expect([status, bytes.length, headers.get('cache-control')]).toEqual([302, 0, 'no-store'])
    const file = await download(headers.get('location') ?? '')
    expect([file.status, file.headers.get('content-type'), file.bytes.equals(own)]).toEqual([200, 'image/webp', true])
  })

  test.each(['0', '2001', '-1', '1.5', '1e3', 'x', '', '300px', '["a"]'])('has no size %j', async text => {
    for (const side of ['width', 'height']) {
      const { status, json } = await call(`${path}?${side}=${encodeURIComponent(text)}`, undefined, { method: 'GET' })
      expect([status, json.error, json.fields[0].path]).toEqual([400, 'validation_failed', side])
    }
  })

  test('that is missing or has an invalid path is not found', async () => {
    const [folder, file] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
    const others = [
      `/Images/wine/${id + 8}/${file}`,
      `/Images/product/${shop.id}-${id}/${file}`,
      `/Images/Wine/${id}/${file}`,
      `${folder}/${file.replace('600x900', '600x901')}`,
      `${folder}/${file.replace(/^../, 'zz')}`,
      `${folder}/${file.replace('.webp', '.png')}`,
      `${folder}/..%5c${file}`,
      `${folder}/drawn-${shop.id}-0123456789abcdef.webp`,
      `/Images/wine/${'9'.repeat(15)}/drawn-${'9'.repeat(15)}-0123456789abcdef.webp`,
    ]
    for (const other of others) {
      expect([other, ...(await statusOf(other))]).toEqual([other, 404, 'picture_not_found'])
      expect([other, ...(await statusOf(`${other}?width=10`))]).toEqual([other, 404, 'picture_not_found'])
    }
  })

  test('answers no other method', async () => {
    const { status, json, headers } = await call(path)
    expect([status, json.error, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET'])
  })
})

describe('a drawn picture', () => {
  test('is drawn by its first request, the same in all sizes, and follows its wine', async () => {
    const wine = await shop.added({ image: 'drawn', vintage: 2021 })
    expect(wine.image).toMatch(RegExp(`^/Images/wine/${wine.id}/drawn-${shop.id}-[0-9a-f]{16}\\.webp$`))
    expect(await sizeOf((await fetchRaw(`${wine.image}?height=300`)).bytes)).toEqual([144, 320, 'webp'])
    expect(await sizeOf((await fetchRaw(wine.image)).bytes)).toEqual([720, 1600, 'webp'])
    const { json } = await shop.edit(wine.id, { vintage: 2022 })
    expect(json.data.image).not.toBe(wine.image)
    expect((await fetchRaw(json.data.image)).status).toBe(200)
    expect((await fetchRaw(wine.image)).status).toBe(200)
    expect(await statusOf(`${wine.image}?width=77`)).toEqual([404, 'picture_not_found'])
  })
})

test('the expertise sheet shows the picture, and is drawn again with another picture', async () => {
  const wine = await shop.added({ articlenumber: 'S-1', public: 1 })
  const sheetOf = async () => (await fetchRaw(wine.expertisePdf)).bytes
  const hasImage = async () => (await sheetOf()).includes('/Subtype /Image')
  const plain = await sheetOf()
  await shop.edit(wine.id, { image: 'drawn' })
  const drawn = await sheetOf()
  expect(drawn.length).toBeGreaterThan(plain.length + 5000)
  expect(await hasImage()).toBe(false)
  const file = await fileOf('S-1.png', await pngOf({ color: '#304050' }), sheets)
  await supplyImages(shop.id, { path: file, kind: 'wine', progress: () => {} })
  expect(await hasImage()).toBe(true)
  await shop.edit(wine.id, { image: null })
  expect(await hasImage()).toBe(false)
})

describe('the tool', () => {
  test('supplies a folder by article number, with progress, and prints refusals with reasons', async () => {
    const wine = await shop.added({ articlenumber: 'B-1', public: 1 })
    const folder = join(await fileOf('B-1.png', await pngOf({ color: '#101010' })), '..')
    await fileOf('B-9.jpg', await noise(20, 20))
    await fileOf('notes.txt', Buffer.from('x'))
    await fileOf('B-2.webp', Buffer.from('<svg/>'))
    const { code, out, errors } = await tool('images', folder, '--merchant', String(shop.id))
    expect(code).toBe(1)
    expect(out).toMatch(/pictures: 0 of 3[\s\S]*pictures: 3 of 3\n1 pictures supplied, 2 refused/)
    expect(errors).toMatch(/B-9\.jpg is named after no article number/)
    expect(errors).toMatch(/B-2\.webp is named after no article number/)
    const after = await shop.get(wine.id)
    expect(after).toMatchObject({ version: 2, image: expect.stringMatching(RegExp(`^/Images/wine/${wine.id}/`)) })
    await untilPublished(shop.id)
    expect((await call('/wines/getPublic', { id: wine.id })).json.data.image).toBe(after.image)
    expect((await fetchRaw(after.image)).status).toBe(200)
    const broken = ['images', join(folder, 'B-2.webp'), '--merchant', String(shop.id), '--articlenumber', 'B-1']
    const refused = await tool(...broken)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/neither a PNG, a JPEG nor a WebP/)])
    const again = await tool('images', join(folder, 'B-1.png'), '--merchant', String(shop.id))
    expect([again.code, (await shop.get(wine.id)).version]).toEqual([0, 2])
  })

  test('supplies products, wineries with their wines, categories and the logo', async () => {
    const row = { articlenumber: 'P-7', name: 'Glas', gross: '9.00', taxrate: 19 }
    await importRecords(shop.id, products, [row])
    const wine = await shop.added({ winery_id: shop.winery, public: 1 })
    const file = await fileOf('P-7.png', await pngOf({ width: 300, height: 200 }))
    const supply = (kind: 'product' | 'winery' | 'category' | 'merchant', name?: string) =>
      supplyImages(shop.id, { path: file, kind, name, progress: () => {} })
    for (const [kind, name] of [['product'], ['winery', 'Gut Sonne'], ['category', 'bio'], ['merchant']] as const) {
      expect([kind, await supply(kind, name)]).toEqual([kind, { taken: 1, refused: [] }])
    }
    const winery = await getItem(key('winery', { merchant: shop.id, id: shop.winery }))
    expect((await shop.get(wine.id)).winery.image).toBe(winery?.image)
    await untilPublished(shop.id)
    expect((await call('/wines/getPublic', { id: wine.id })).json.data.winery.image).toBe(winery?.image)
    const category = shop.categories.map(one => getItem(key('category', { merchant: shop.id, id: one })))
    const named = (await Promise.all(category)).find(one => one?.path_segment === 'bio')
    const merchant = await getItem(key('merchant', { merchant: shop.id }))
    for (const [image, start, format] of [
      [winery?.image, `/Images/winery/${shop.id}-${shop.winery}/`, 'webp'],
      [named?.image, `/Images/category/${shop.id}-${named?.id}/`, 'webp'],
      [merchant?.image, `/Images/merchant/${shop.id}/`, 'png'],
    ] as const) {
      expect(image?.startsWith(start)).toBe(true)
      expect(await sizeOf((await fetchRaw(`${image}?width=45`)).bytes)).toEqual([160, 107, format])
    }
    const other = await newWineShop()
    expect(await supplyImages(other.id, { path: file, kind: 'product', progress: () => {} })).toMatchObject({
      taken: 0,
    })
  })
})
