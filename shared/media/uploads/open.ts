import { randomUUID } from 'node:crypto'
import { type OwnerType, recordMissing, type Upload } from '../../contract/routes/files.ts'
import { countOne } from '../../merchants/rates.ts'
import { type UploadForm, uploadForm } from '../../platform/files/files.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, putItem } from '../../platform/table/table.ts'
import { unixSeconds } from '../../values/time.ts'

const formSeconds = 600
const daySeconds = 86_400

/** The place of an uploaded file; the bucket removes it after a day (lib/stack/storage.ts). */
export const placeOf = (merchant: MerchantId, file: string): string => `uploads/${merchant}/${file}`

export const uploadKey = (merchant: MerchantId, file: string) => key('upload', { merchant, file })

const isThere: Record<OwnerType, (merchant: MerchantId, id: number) => Promise<unknown>> = {
  wine: (merchant, id) => getItem(key('wine', { merchant, id })),
  product: (merchant, id) => getItem(key('product', { merchant, id })),
  category: (merchant, id) => getItem(key('category', { merchant, id })),
  merchant: async (merchant, id) => id === merchant,
}

/**
 * Opens an upload: returns a form for the file, and the id to commit it with. Throws reference_not_found, and quota_exceeded
 * for too many uploads in a day.
 */
export const openUpload = async (
  merchant: MerchantId,
  upload: Upload,
): Promise<{ upload: UploadForm; file: string }> => {
  const { record, type, size } = upload
  if (!(await isThere[record.type](merchant, record.id))) throw recordMissing()
  await countOne(merchant, 'uploads')
  const file = randomUUID()
  const form = await uploadForm({ key: placeOf(merchant, file), type, bytes: size }, formSeconds)
  await putItem(uploadKey(merchant, file), { ...upload, expires: unixSeconds(Date.now()) + daySeconds })
  return { upload: form, file }
}
