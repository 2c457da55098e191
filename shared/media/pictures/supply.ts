import { createHash } from 'node:crypto'
import { removeFile, writeFile } from '../../platform/files/files.ts'
import {
  formatOf,
  objectKeys,
  type PictureKind,
  pictureAt,
  pictureKey,
  pictureOf,
  picturePath,
  sheetPictureKey,
} from '../../values/picture-name.ts'
import { acceptImage, forSheet } from './raster.ts'

/** The path of a stored picture, or the reason why it was refused. */
export type Kept = { path: string } | { refused: string }

/** Stores a supplied picture, named by its content. `owner` is a result of ownerOf, `type` its media type if declared. */
export const keepPicture = async (kind: PictureKind, owner: string, bytes: Buffer, type?: string): Promise<Kept> => {
  const format = formatOf(kind)
  const raster = await acceptImage(bytes, format, type)
  if (typeof raster === 'string') return { refused: raster }
  const digest = createHash('sha256').update(raster.bytes).digest('hex').slice(0, 32)
  const picture = pictureOf(kind, owner, `${digest}-${raster.width}x${raster.height}.${format}`)
  if (!picture) throw new Error(`a ${kind} cannot be called ${owner}`)
  if (kind === 'wine')
    await writeFile(sheetPictureKey(picture), await forSheet(raster.bytes), 'image/jpeg', 'only if absent')
  await writeFile(pictureKey(picture), raster.bytes, `image/${format}`, 'only if absent')
  return { path: picturePath(picture) }
}

/** Removes a picture with its sizes. */
export const removePicture = async (path: string): Promise<void> => {
  const picture = pictureAt(path)
  if (!picture) return
  // The picture is deleted first, so that no more sizes are made from it.
  await removeFile(pictureKey(picture))
  await Promise.all(objectKeys(picture).map(removeFile))
}
