import { addWine } from '../../shared/catalogue/wines/edit.ts'
import { type Category, completeCategory } from '../../shared/contract/records/category.ts'
import type { Answer, Json, Shop } from './harness.ts'

let wines = 0

/** Adds a wine that its shop shows, without a picture; returns its id. */
export const newWine = async ({ id }: Pick<Shop, 'id'>): Promise<number> => {
  const data = { name: `Bild ${++wines}`, type: 'red', countrycode: 'de', region: 1003, shop: 1 } as const
  return (await addWine(id, 0, data)).id
}

/** A category without a picture, as it is stored. */
export const categoryOf = (id: number) =>
  completeCategory({ id, name: `Gruppe ${id}`, path_segment: `gruppe-${id}` } as Category)

let colors = 0

/** A colour of its own, far from the others: WebP makes the same bytes of colours that hardly differ. */
export const colored = () => ({ color: `#${((++colors * 0x0b1d37) % 0xffffff).toString(16).padStart(6, '0')}` })

/** The request that opens an upload of a picture of a wine. */
export const pictureOf = (wine: number, bytes: Buffer, more: object = {}) => ({
  kind: 'picture',
  record: { type: 'wine', id: wine },
  name: 'bottle.png',
  size: bytes.length,
  type: 'image/png',
  ...more,
})

/** Sends the form of `files/add`, with other fields where they are given; returns the status and the error of S3. */
export const sendForm = async ({ url, fields }: Json, bytes: Buffer, other: object = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...other })) form.append(name, String(value))
  form.append('file', new Blob([new Uint8Array(bytes)]), 'file')
  const response = await fetch(url, { method: 'POST', body: form })
  return [response.status, /<Code>(\w+)/.exec(await response.text())?.[1]]
}

/** Opens an upload and sends its file; returns the id of the file. */
export const uploaded = async (shop: Shop, body: object, bytes: Buffer): Promise<string> => {
  const { status, json } = await shop.call('files/add', body)
  if (status !== 200) throw new Error(JSON.stringify(json))
  const [sent] = await sendForm(json.data.upload, bytes)
  if (sent !== 204) throw new Error(`the form returned ${sent}`)
  return json.data.file
}

/** Uploads a file and commits it. */
export const commit = async (shop: Shop, body: object, bytes: Buffer): Promise<Answer> =>
  shop.call('files/commit', { file: await uploaded(shop, body, bytes) })
