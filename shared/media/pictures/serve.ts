import { createHash } from 'node:crypto'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { Problem } from '../../contract/errors.ts'
import { type Part, presignedLink, readPart } from '../../platform/files/files.ts'
import { type PictureName, pictureKey, pictureOf, type Size, sizeFor } from '../../values/picture-name.ts'

const linkSeconds = 300
// In base64 a larger picture would not fit into a function's response; the object's own link takes over.
const largestBody = 4 * 1024 * 1024

const notFound = (because: string) => new Problem('picture_not_found', { because })

const ensurePicture = async (picture: PictureName, size: Size): Promise<Part> => {
  const isSupplied = picture.drawnFor === undefined && pictureKey(picture) === pictureKey(picture, size)
  if (isSupplied) throw notFound('the supplied file is not stored')
  // Imported here because the decoding and drawing modules load slowly, and a stored picture needs none of them.
  const { makePicture } = await import('./make.ts')
  const body = await makePicture(picture, size)
  if (!body) throw notFound('there is nothing to draw or resize')
  // The same as the object's ETag in S3.
  return { status: 200, headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` }, body }
}

const redirect = async (place: string, { file, format }: PictureName): Promise<Reply> => ({
  statusCode: 302,
  headers: {
    // The name of a picture contains only letters, digits, dots and hyphens.
    location: await presignedLink(place, linkSeconds, `image/${format}`, `inline; filename="${file}"`),
    'cache-control': 'no-store',
  },
})

type Asked = { kind: string; id: string; file: string; width?: number | undefined; height?: number | undefined }

/**
 * Returns the bytes of a picture in the size for the requested width and height; a size is made once and stored.
 * Redirects to a presigned link if they exceed 4 MB. Throws picture_not_found.
 */
export const pictureReply = async (
  { kind, id, file, ...bounds }: Asked,
  ifNoneMatch: string | undefined,
): Promise<Reply> => {
  const picture = pictureOf(kind, id, file)
  if (!picture) throw notFound('the path is no name of a picture')
  const size = sizeFor(picture, bounds)
  const place = pictureKey(picture, size)
  const part = (await readPart(place, { ifNoneMatch, most: largestBody })) ?? (await ensurePicture(picture, size))
  const isLarge = part.status === 200 && !(part.body && part.body.length <= largestBody)
  if (isLarge) return redirect(place, picture)
  return {
    statusCode: part.status,
    headers: {
      ...part.headers,
      'content-type': `image/${picture.format}`,
      // The name changes with the picture.
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': 'sandbox',
    },
    ...(part.body && { body: part.body.toString('base64'), isBase64Encoded: true }),
  }
}
