import { isDrawnPath, motifOf, wineOf } from '../../catalogue/wines/stored.ts'
import { readFile, writeFile } from '../../platform/files/files.ts'
import { key, merchantIdOf } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { type PictureName, pictureKey, picturePath, type Size } from '../../values/picture-name.ts'
import { drawnPicture } from './drawn/picture.ts'
import { resize } from './raster.ts'

/** Returns the drawn picture of a wine; undefined if the wine does not exist or has another picture. */
const drawnOf = async (picture: PictureName, merchant: number): Promise<Buffer | undefined> => {
  const item = await getItem(key('wine', { merchant: merchantIdOf(merchant), id: Number(picture.owner) }))
  const wine = item && wineOf(item)
  return wine && isDrawnPath(wine, picturePath(picture)) ? drawnPicture(motifOf(wine)) : undefined
}

const storedOf = async (picture: PictureName): Promise<Buffer | undefined> =>
  (await readFile(pictureKey(picture)))?.body

/**
 * Makes a picture in a size and stores it; concurrent requests make the same. Returns its bytes, undefined without a
 * source.
 */
export const makePicture = async (picture: PictureName, size: Size): Promise<Buffer | undefined> => {
  const { drawnFor, format } = picture
  const source = await (drawnFor === undefined ? storedOf(picture) : drawnOf(picture, drawnFor))
  if (!source) return undefined
  const bytes = await resize(source, size, format)
  await writeFile(pictureKey(picture, size), bytes, `image/${format}`, 'only if absent')
  return bytes
}
