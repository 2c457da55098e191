import sharp from 'sharp'
import { fileExists, writeFile } from '../../shared/platform/files/files.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { newProduct } from '../support/checkout.ts'
import { type Json, newShop, refusal } from '../support/harness.ts'
import { pdfOf } from '../support/pdf-files.ts'
import { jpegOf, pngOf, webpOf } from '../support/picture-files.ts'
import { hookedTable, silent } from '../support/table-hook.ts'
import { categoryOf, colored, commit, newWine, pictureOf, sendForm, uploaded } from '../support/uploads.ts'

const shop = await newShop('Kellerei Bild')
const table = hookedTable()
await putItem(key('category', { merchant: shop.id, id: 7 }), categoryOf(7))

const commitOf = (file: string) => shop.call('files/commit', { file })
const placeOf = (file: string) => `uploads/${shop.id}/${file}`
const versionOf = async (wine: number) => (await getItem(key('wine', { merchant: shop.id, id: wine })))?.version

describe('a file that is uploaded and committed', () => {
  test.each([
    ['PNG', 'image/png', pngOf],
    ['JPEG', 'image/jpeg', jpegOf],
    ['WebP', 'image/webp', webpOf],
  ] as const)('is the picture of a wine, from a %s', async (_, type, make) => {
    const [wine, bytes] = [await newWine(shop), await make({ width: 300, height: 400, ...colored() })]
    const { status, json } = await commit(shop, pictureOf(wine, bytes, { type }), bytes)
    expect([status, json.data.id, json.data.image]).toEqual([
      200,
      wine,
      expect.stringMatching(RegExp(`^/Images/wine/${wine}/[0-9a-f]{32}-300x400\\.webp$`)),
    ])
    expect((await shop.call('wines/get', { id: wine })).json.data).toMatchObject(json.data)
    const shown = await fetch(new URL(json.data.image, process.env.BASE_URL))
    expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format).toBe('webp')
  })

  test('is the picture of a product, in the record that products/get returns', async () => {
    const [{ id }, bytes] = [await newProduct(shop), await pngOf(colored())]
    const { json } = await commit(shop, { ...pictureOf(0, bytes), record: { type: 'product', id } }, bytes)
    expect(json.data.image).toMatch(RegExp(`^/Images/product/${shop.id}-${id}/`))
    expect((await shop.call('products/get', { id })).json.data).toEqual(json.data)
  })

  test('is the picture of a category, which lists show at once', async () => {
    await shop.call('categories/getAll')
    const bytes = await pngOf(colored())
    const { json } = await commit(shop, { ...pictureOf(0, bytes), record: { type: 'category', id: 7 } }, bytes)
    expect(json.data.image).toMatch(RegExp(`^/Images/category/${shop.id}-7/`))
    expect((await shop.call('categories/getAll')).json.data).toEqual([json.data])
  })

  test('is the logo of the merchant, as PNG', async () => {
    const bytes = await jpegOf(colored())
    const body = { ...pictureOf(0, bytes), kind: 'logo', type: 'image/jpeg', record: { type: 'merchant', id: shop.id } }
    const { json } = await commit(shop, body, bytes)
    expect(json.data.image).toMatch(RegExp(`^/Images/merchant/${shop.id}/[0-9a-f]{32}-300x400\\.png$`))
    expect((await shop.call('customers/getMy')).json.data).toMatchObject(json.data)
  })

  test('is the PDF of a wine, under its name', async () => {
    const [wine, bytes] = [await newWine(shop), pdfOf(900, 'uploaded')]
    const body = pictureOf(wine, bytes, { kind: 'expertise', type: 'application/pdf', name: 'Mein Wein.pdf' })
    const { json } = await commit(shop, body, bytes)
    expect([json.data.pdf, json.data.expertisePdf]).toEqual(['Mein Wein.pdf', `/PDF/${wine}/Mein%20Wein.pdf`])
    const shown = await fetch(new URL(json.data.expertisePdf, process.env.BASE_URL))
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('is removed from its place; a repeat returns the record as it is then', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    expect(await fileExists(placeOf(file))).toBe(true)
    const { json } = await commitOf(file)
    expect(await fileExists(placeOf(file))).toBe(false)
    expect((await commitOf(file)).json.data).toEqual(json.data)
    await shop.call('wines/edit', { id: wine, data: { image: null } })
    expect((await commitOf(file)).json.data.image).toBeNull()
  })

  test('changes its record once, however many commits there are at once', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    const before = await versionOf(wine)
    const answers = await Promise.all(Array.from({ length: 16 }, () => commitOf(file)))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    expect(new Set(answers.map(({ json }) => json.data.image)).size).toBe(1)
    expect(await versionOf(wine)).toBe(Number(before) + 1)
  })

  test('loses none of the others that are committed for the same records at once', async () => {
    const [wine, { id }] = [await newWine(shop), await newProduct(shop)]
    const records = [
      { type: 'wine', id: wine },
      { type: 'product', id },
      { type: 'category', id: 7 },
    ]
    const bytes = await Promise.all(Array.from({ length: 6 }, () => pngOf(colored())))
    const files = await Promise.all(
      bytes.map((one, n) => uploaded(shop, { ...pictureOf(0, one), record: records[n % 3] }, one)),
    )
    expect((await Promise.all(files.map(commitOf))).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  test('of the same picture leaves the record unchanged, and is committed', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    await commit(shop, pictureOf(wine, bytes), bytes)
    const before = await versionOf(wine)
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    expect((await commitOf(file)).status).toBe(200)
    expect([await versionOf(wine), await getItem(key('upload', { merchant: shop.id, file }))]).toEqual([
      before,
      expect.objectContaining({ done: true }),
    ])
  })
})

describe('a commit that ends early', () => {
  test('before its transaction is repeated', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    table.hook = name =>
      name === 'TransactWriteItemsCommand' || name === 'TransactWriteCommand' ? silent() : undefined
    expect(refusal(await commitOf(file))).toEqual([503, 'temporarily_unavailable'])
    expect((await shop.call('wines/get', { id: wine })).json.data.image).toBeNull()
    table.hook = undefined
    expect((await commitOf(file)).json.data.image).toMatch(/^\/Images\/wine\//)
  })

  test('for good is repeated once its time is over', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    await updateItem(key('upload', { merchant: shop.id, file }), { set: { until: Date.now() + 500 } })
    expect((await commitOf(file)).json.data.image).toMatch(/^\/Images\/wine\//)
  })

  test('after its transaction has changed the record, and a repeat changes nothing more', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    const { json } = await commitOf(file)
    // As if the file had not been removed.
    await writeFile(placeOf(file), bytes, 'image/png', 'anything')
    await shop.call('wines/edit', { id: wine, data: { image: null } })
    expect([json.data.image, (await commitOf(file)).json.data.image]).toEqual([expect.any(String), null])
  })
})

describe('the form', () => {
  const opened = async (bytes: Buffer, more: object = {}): Promise<Json> =>
    (await shop.call('files/add', pictureOf(await newWine(shop), bytes, more))).json.data

  test('stores one file of the declared size and type at a place of its own', async () => {
    const bytes = await pngOf(colored())
    const { upload, file } = await opened(bytes)
    expect(upload.fields).toMatchObject({ key: placeOf(file), 'Content-Type': 'image/png' })
    expect(await sendForm(upload, Buffer.concat([bytes, bytes]))).toEqual([400, 'EntityTooLarge'])
    expect(await sendForm(upload, bytes.subarray(1))).toEqual([400, 'EntityTooSmall'])
    expect(await sendForm(upload, bytes, { key: `uploads/${shop.id + 1}/${file}` })).toEqual([403, 'AccessDenied'])
    expect(await sendForm(upload, bytes, { key: 'pictures/wine/1/a.webp' })).toEqual([403, 'AccessDenied'])
    expect(await sendForm(upload, bytes, { 'Content-Type': 'text/html' })).toEqual([403, 'AccessDenied'])
    expect(await fileExists(placeOf(file))).toBe(false)
    expect(await sendForm(upload, bytes)).toEqual([204, undefined])
  })

  test('is valid for ten minutes', async () => {
    const before = Date.now()
    const { upload } = await opened(await pngOf())
    const { expiration } = JSON.parse(Buffer.from(upload.fields.policy, 'base64').toString())
    const left = Date.parse(expiration) - before
    expect(left).toBeGreaterThanOrEqual(600_000)
    expect(left).toBeLessThan(660_000)
  })

  test('that was not sent leaves nothing to commit', async () => {
    const { file } = await opened(await pngOf())
    expect(refusal(await commitOf(file))).toEqual([404, 'upload_not_found'])
  })

  test('may be sent again after its file was refused', async () => {
    const bytes = await pngOf(colored())
    const damaged = Buffer.concat([bytes.subarray(0, -20), Buffer.alloc(20)])
    const { upload, file } = await opened(bytes)
    await sendForm(upload, damaged)
    for (let n = 0; n < 2; n++) expect((await commitOf(file)).json.error).toBe('file_invalid')
    await sendForm(upload, bytes)
    expect((await commitOf(file)).status).toBe(200)
  })
})
