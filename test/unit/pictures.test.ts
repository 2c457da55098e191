import fc from 'fast-check'
import sharp from 'sharp'
import { pictures } from '../../shared/contract/routes/pictures.ts'
import { acceptImage, resize } from '../../shared/media/pictures/raster.ts'
import {
  objectKeys,
  pictureAt,
  pictureKey,
  pictureOf,
  pictureSides,
  sizeFor,
} from '../../shared/values/picture-name.ts'
import { animatedWebp, bombPng, jpegOf, noise, notedJpeg, pngOf, webpOf } from '../support/picture-files.ts'

const digest = '0123456789abcdef0123456789abcdef'
const neither = 'is neither a PNG, a JPEG nor a WebP picture'
const damaged = 'is damaged: it cannot be decoded to its end'
const tooLarge = 'has more than 50 megapixels'

const taken = async (bytes: Buffer) => {
  const raster = await acceptImage(bytes, 'webp')
  if (typeof raster === 'string') throw new Error(raster)
  return { ...raster, found: await sharp(raster.bytes).metadata() }
}

describe('a picture', () => {
  test.each([
    ['PNG', pngOf],
    ['JPEG', jpegOf],
    ['WebP', webpOf],
  ])('from a %s file is stored as WebP in its size', async (_, make) => {
    const { width, height, found } = await taken(await make({ width: 320, height: 200 }))
    expect([width, height, found.format, found.width, found.height]).toEqual([320, 200, 'webp', 320, 200])
  })

  test('loses its metadata, after it is turned by its orientation', async () => {
    const { width, height, bytes, found } = await taken(await notedJpeg())
    expect([width, height]).toEqual([200, 300])
    expect([found.exif, found.icc, found.xmp, found.orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(bytes.includes('KANARIENVOGEL')).toBe(false)
  })

  test('keeps its transparency', async () => {
    const { bytes } = await taken(await pngOf({ color: '#ff000000' }))
    expect((await sharp(bytes).stats()).channels[3]?.max).toBe(0)
  })

  test('is the first frame of an animation', async () => {
    const { found, bytes } = await taken(await animatedWebp())
    expect([found.pages, found.width, found.height]).toEqual([undefined, 40, 40])
    const { dominant } = await sharp(bytes).stats()
    expect(dominant.r).toBeGreaterThan(200)
  })

  test('is shrunk to 4000 pixels a side, in its proportions', async () => {
    const { width, height } = await taken(await jpegOf({ width: 8000, height: 1000 }))
    expect([width, height]).toEqual([4000, 500])
  })

  test('is stored as PNG if it is a logo', async () => {
    const raster = await acceptImage(await webpOf(), 'png')
    expect(typeof raster === 'object' && (await sharp(raster.bytes).metadata()).format).toBe('png')
  })
})

describe('no picture is accepted from', () => {
  const cut = async (make: () => Promise<Buffer>) => {
    const whole = await make()
    return whole.subarray(0, Math.floor(whole.length * 0.6))
  }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  const behind = async (start: number, more: string) =>
    Buffer.concat([(await pngOf()).subarray(0, start), Buffer.from(more)])

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['an empty file', () => Buffer.alloc(0), neither],
    ['an SVG', () => Buffer.from(svg), neither],
    ['an SVG behind a byte order mark', () => Buffer.from(`\ufeff${svg}`), neither],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), neither],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%%EOF'), neither],
    ['a GIF', () => canvasGif(), neither],
    [
      'a TIFF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
          .tiff()
          .toBuffer(),
      neither,
    ],
    ['a PNG’s first bytes before an SVG', () => behind(8, svg), damaged],
    ['a PNG’s header before a page', () => behind(33, '<html></html>'), damaged],
    ['a PNG that is cut', () => cut(() => noisePng()), damaged],
    ['a JPEG that is cut', () => cut(() => noise(300, 300)), damaged],
    ['a WebP that is cut', () => cut(() => noiseWebp()), damaged],
    ['a small file of 10 gigapixels', () => bombPng(100_000, 100_000, 100), tooLarge],
    ['a file of just above 50 megapixels', () => bombPng(10_000, 5001, 100), tooLarge],
    ['a file of zeros in place of rows', () => bombPng(5000, 5000, 10), damaged],
    ['a file above 20 MB', () => Buffer.alloc(20 * 1024 * 1024 + 1), 'is larger than 20 MB'],
  ])('%s', async (_, make, reason) => {
    expect(await acceptImage(await make(), 'webp')).toBe(reason)
  })

  const canvasGif = () =>
    sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .gif()
      .toBuffer()
  const noisePng = async () =>
    sharp(await noise(200, 200))
      .png()
      .toBuffer()
  const noiseWebp = async () =>
    sharp(await noise(300, 300))
      .webp({ quality: 95 })
      .toBuffer()
})

test('a picture of just 50 megapixels is accepted', async () => {
  const { width, height } = await taken(await jpegOf({ width: 50_000, height: 1000 }))
  expect([width, height]).toEqual([4000, 80])
})

const named = (width: number, height: number) => {
  const picture = pictureOf('wine', '12', `${digest}-${width}x${height}.webp`)
  if (!picture) throw new Error('a picture cannot be so large')
  return picture
}

describe('a size', () => {
  test.each<[object, [number, number]]>([
    [{}, [800, 1200]],
    [{ width: 400 }, [480, 720]],
    [{ width: 480 }, [480, 720]],
    [{ height: 300 }, [213, 320]],
    [{ height: 321 }, [320, 480]],
    [{ width: 400, height: 300 }, [213, 320]],
    [{ width: 100, height: 900 }, [160, 240]],
    [{ width: 1 }, [160, 240]],
    [{ height: 1 }, [107, 160]],
    [{ width: 1, height: 2000 }, [160, 240]],
    [{ width: 2000 }, [800, 1200]],
    [{ width: 641, height: 1200 }, [800, 1200]],
  ])('within %j is the next size of the ladder, proportional and never enlarged', (asked, [width, height]) => {
    expect(sizeFor(named(800, 1200), asked)).toEqual({ width, height })
  })

  test.each<[[number, number], object, [number, number]]>([
    [[4000, 10], { width: 100 }, [160, 1]],
    [[4000, 10], { height: 5 }, [4000, 10]],
    [[10, 4000], { height: 1 }, [1, 160]],
    [[1, 1], { width: 1 }, [1, 1]],
    [[300, 200], { width: 2000 }, [300, 200]],
  ])('of a picture of %j within %j has at least one pixel', ([width, height], asked, size) => {
    expect(Object.values(sizeFor(named(width, height), asked))).toEqual(size)
  })

  test('is one of the documented sizes of the route', () => {
    const known = [...pictures.summary.matchAll(/\d+/g)].map(Number)
    expect(known).toEqual(pictureSides)
  })

  const side = fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined })
  const length = fc.integer({ min: 1, max: 4000 })

  test('is never smaller than the bounds allow, nor larger than the picture, and one of fifteen', () => {
    fc.assert(
      fc.property(
        length,
        length,
        fc.array(fc.record({ width: side, height: side }), { minLength: 1, maxLength: 40 }),
        (w, h, all) => {
          const picture = named(w, h)
          const keys = all.map(asked => {
            const { width, height } = sizeFor(picture, asked)
            const factor = Math.min((asked.width ?? w) / w, (asked.height ?? h) / h, 1)
            expect(width).toBeGreaterThanOrEqual(Math.round(w * factor))
            expect(height).toBeGreaterThanOrEqual(Math.round(h * factor))
            expect([width <= w, height <= h]).toEqual([true, true])
            return pictureKey(picture, { width, height })
          })
          const known = objectKeys(picture)
          expect(keys.filter(key => !known.includes(key))).toEqual([])
          // All sides of the ladder by width and by height, the picture itself, and the one of sheets.
          expect(known.length).toBeLessThanOrEqual(2 * pictureSides.length + 2)
          expect(new Set(known).size).toBe(known.length)
        },
      ),
    )
  })

  test('is that of the resized picture, however often it is made', async () => {
    const { bytes } = await taken(await pngOf({ width: 800, height: 1200 }))
    const small = await resize(bytes, { width: 200, height: 300 }, 'webp')
    const { width, height, format } = await sharp(small).metadata()
    expect([width, height, format]).toEqual([200, 300, 'webp'])
    expect(small.equals(await resize(bytes, { width: 200, height: 300 }, 'webp'))).toBe(true)
  })
})

describe('the path of a picture', () => {
  test.each([
    ['wine', '12', `${digest}-800x1200.webp`, 'pictures/wine/12/'],
    ['product', '7-12', `${digest}-800x1200.webp`, 'pictures/product/7-12/'],
    ['merchant', '7', `${digest}-800x1200.png`, 'pictures/merchant/7/'],
    ['wine', '12', 'drawn-7-0123456789abcdef.webp', 'pictures/wine/12/'],
  ])('with %s %s %s names an object', (kind, id, file, folder) => {
    const picture = pictureOf(kind, id, file)
    expect(picture).toBeDefined()
    if (!picture) return
    expect(pictureAt(`/Images/${kind}/${id}/${file}`)).toEqual(picture)
    expect(pictureKey(picture)).toBe(folder + file)
    expect(pictureKey(picture, { width: 20, height: 30 })).toBe(
      `${folder}${file.replace(/\.(\w+)$/, '')}/20x30.${picture.format}`,
    )
  })

  test.each([
    ['Wine', '12', `${digest}-800x1200.webp`],
    ['wine', '7-12', `${digest}-800x1200.webp`],
    ['product', '12', `${digest}-800x1200.webp`],
    ['product', '7-', `${digest}-800x1200.webp`],
    ['wine', '012', `${digest}-800x1200.webp`],
    ['wine', '12', `${digest}-0x1200.webp`],
    ['wine', '12', `${digest}-800x1200.png`],
    ['wine', '12', `${digest}-800x1200.svg`],
    ['wine', '12', `${digest}-800x1200.webp/..`],
    ['wine', '12', `../../expertise/${digest}.pdf`],
    ['wine', '..', `${digest}-800x1200.webp`],
    ['wine', '12', `${digest.toUpperCase()}-800x1200.webp`],
    ['wine', '12', `${digest}-800x1200.webp\n`],
    ['product', '7-12', 'drawn-7-0123456789abcdef.webp'],
    ['constructor', '12', `${digest}-800x1200.webp`],
    ['', '', ''],
  ])('%s %s %j names none', (kind, id, file) => {
    expect(pictureOf(kind, id, file)).toBeUndefined()
  })
})
