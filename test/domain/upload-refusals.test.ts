import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { newProduct } from '../support/checkout.ts'
import { type Answer, newShop } from '../support/harness.ts'
import { pdfOf } from '../support/pdf-files.ts'
import { bombPng, jpegOf, noise, pngOf } from '../support/picture-files.ts'
import { categoryOf, colored, commit, newWine, pictureOf, uploaded } from '../support/uploads.ts'

const shop = await newShop('Kellerei Bild')
const other = await newShop('Kellerei Fremdbild')
const refusal = ({ status, json }: Answer) => [status, json.error, json.details]
const commitOf = (file: string) => shop.call('files/commit', { file })

const missing = [422, 'reference_not_found', '`record.id` must be the id of a record of this type.']
const picture = 'The file is neither a PNG, a JPEG nor a WebP picture.'
const damaged = 'The file is damaged: it cannot be decoded to its end.'
const noPdf = 'The file is not a whole PDF.'

test.each<[string, () => Promise<Buffer> | Buffer, object, string]>([
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {}, picture],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), {}, picture],
  ['a PDF with a JPEG in it', async () => Buffer.concat([pdfOf(60, 'x'), await jpegOf()]), {}, picture],
  ['a JPEG that is declared as a PNG', () => jpegOf(), {}, 'The file is not image/png, but image/jpeg.'],
  ['a JPEG that is cut', async () => (await jpegOf()).subarray(0, -30), { type: 'image/jpeg' }, damaged],
  [
    'a page behind the header of a PNG',
    async () => Buffer.concat([(await pngOf()).subarray(0, 33), Buffer.from('<html>')]),
    {},
    damaged,
  ],
  ['a PNG of 2.5 gigapixels', () => bombPng(50_000, 50_000, 20), {}, 'The file has more than 50 megapixels.'],
  [
    'a photograph as a logo whose PNG is large',
    () => noise(1700, 1700),
    { kind: 'logo', type: 'image/jpeg', record: { type: 'merchant', id: shop.id } },
    'The file takes more than 8 MB as the PNG that is stored: send it with fewer pixels.',
  ],
  ['a picture as a PDF', () => pngOf(), { kind: 'expertise', type: 'application/pdf', name: 'a.pdf' }, noPdf],
  [
    'a PDF that is cut',
    () => pdfOf(400, 'x').subarray(0, 300),
    { kind: 'expertise', type: 'application/pdf', name: 'a.pdf' },
    noPdf,
  ],
  [
    'a JPEG that ends as a PDF',
    async () => Buffer.concat([await jpegOf(), pdfOf(60, 'x')]),
    { kind: 'expertise', type: 'application/pdf', name: 'a.pdf' },
    noPdf,
  ],
])('%s is refused with the reason, and the record stays as it is', async (_, make, more, details) => {
  const [wine, bytes] = [await newWine(shop), await make()]
  expect(refusal(await commit(shop, pictureOf(wine, bytes, more), bytes))).toEqual([422, 'file_invalid', details])
  expect((await shop.call('wines/get', { id: wine })).json.data).toMatchObject({ image: null })
})

test('what follows the pixels of a picture is not stored', async () => {
  const [wine, bytes] = [
    await newWine(shop),
    Buffer.concat([await pngOf(colored()), Buffer.from('<script>alert(1)</script>')]),
  ]
  const { json } = await commit(shop, pictureOf(wine, bytes), bytes)
  const shown = await fetch(new URL(json.data.image, process.env.BASE_URL))
  expect(Buffer.from(await shown.arrayBuffer()).includes('script')).toBe(false)
})

describe('an upload', () => {
  test('is for a record of the merchant alone', async () => {
    const bytes = await pngOf()
    const ids = { wine: await newWine(other), product: (await newProduct(other)).id, category: 8, merchant: other.id }
    for (const [type, id] of Object.entries(ids)) {
      const kind = type === 'merchant' ? 'logo' : 'picture'
      const answer = await shop.call('files/add', { ...pictureOf(0, bytes), kind, record: { type, id } })
      expect([answer.status, answer.json.error, answer.json.fields[0].path]).toEqual([
        422,
        'reference_not_found',
        'record.id',
      ])
    }
  })

  test('of another merchant is unknown', async () => {
    const [wine, bytes] = [await newWine(shop), await pngOf(colored())]
    const file = await uploaded(shop, pictureOf(wine, bytes), bytes)
    const unknown = await other.call('files/commit', { file: '5f0e7a50-0000-4000-8000-0123456789ab' })
    const foreign = await other.call('files/commit', { file })
    expect([foreign.status, foreign.json.error, foreign.json.details]).toEqual([
      404,
      'upload_not_found',
      unknown.json.details,
    ])
    expect((await commitOf(file)).status).toBe(200)
  })

  test('that is a day old is unknown, committed or not', async () => {
    const bytes = await pngOf(colored())
    const files = [
      await uploaded(shop, pictureOf(await newWine(shop), bytes), bytes),
      await uploaded(shop, pictureOf(await newWine(shop), bytes), bytes),
    ]
    await commitOf(files[0] ?? '')
    for (const file of files) {
      const place = key('upload', { merchant: shop.id, file })
      const { expires = 0 } = (await getItem(place)) ?? {}
      expect(Math.abs(expires - Date.now() / 1000 - 86_400)).toBeLessThan(60)
      await updateItem(place, { set: { expires: expires - 86_401 } })
      expect((await commitOf(file)).json.error).toBe('upload_not_found')
    }
  })

  test('for a record that was deleted meanwhile is refused', async () => {
    const bytes = await pngOf(colored())
    const { id } = await newProduct(shop)
    await putItem(key('category', { merchant: shop.id, id: 9 }), categoryOf(9))
    const pdf = pdfOf(900, 'lost')
    const lost = await newWine(shop)
    for (const [record, upload, content] of [
      [{ type: 'product', id }, pictureOf(0, bytes), bytes],
      [{ type: 'category', id: 9 }, pictureOf(0, bytes), bytes],
      [{ type: 'wine', id: await newWine(shop) }, pictureOf(0, bytes), bytes],
      [
        { type: 'wine', id: lost },
        pictureOf(0, pdf, { kind: 'expertise', type: 'application/pdf', name: 'a.pdf' }),
        pdf,
      ],
    ] as const) {
      const file = await uploaded(shop, { ...upload, record }, content)
      await deleteItem(key(record.type as 'product', { merchant: shop.id, id: record.id }))
      expect(refusal(await commitOf(file))).toEqual(missing)
    }
  })

  test('that is committed again after its record was deleted is refused', async () => {
    const bytes = await pngOf(colored())
    const { id } = await newProduct(shop)
    await putItem(key('category', { merchant: shop.id, id: 9 }), categoryOf(9))
    for (const record of [
      { type: 'product', id },
      { type: 'category', id: 9 },
      { type: 'wine', id: await newWine(shop) },
    ] as const) {
      const file = await uploaded(shop, { ...pictureOf(0, bytes), record }, bytes)
      expect((await commitOf(file)).status).toBe(200)
      await deleteItem(key(record.type as 'product', { merchant: shop.id, id: record.id }))
      expect(refusal(await commitOf(file))).toEqual(missing)
    }
  })

  test('counts in a quota of a day', async () => {
    const own = await newShop('Kellerei Bilderflut')
    await updateItem(key('rate', { owner: own.id, name: 'uploads' }), { set: { limit: 2 } })
    const [wine, bytes] = [await newWine(own), await pngOf()]
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await own.call('files/add', pictureOf(wine, bytes))).status)
    expect(statuses).toEqual([200, 200, 429])
    const { json, headers } = await own.call('files/add', pictureOf(wine, bytes))
    expect([json.error, json.details]).toEqual([
      'quota_exceeded',
      'The merchant may have at most 2 uploads a day. Repeat the request later.',
    ])
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
  })
})

test('a file that is too large, or of no bytes, is refused before it is uploaded', async () => {
  const wine = await newWine(shop)
  for (const [size, rule] of [
    [20 * 1024 * 1024 + 1, 'max_value'],
    [0, 'min_value'],
  ] as const) {
    const { status, json } = await shop.call('files/add', pictureOf(wine, Buffer.of(), { size }))
    expect([status, json.fields]).toEqual([400, [expect.objectContaining({ path: 'size', rule })]])
  }
})
