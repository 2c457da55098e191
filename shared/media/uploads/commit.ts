import { findCategory } from '../../catalogue/categories.ts'
import { findProduct } from '../../catalogue/products/store.ts'
import { readWine } from '../../catalogue/wines/store.ts'
import { wireWine } from '../../catalogue/wines/stored.ts'
import { Problem } from '../../contract/errors.ts'
import { withInformation } from '../../contract/records/consumer-information.ts'
import { recordMissing, type Upload } from '../../contract/routes/files.ts'
import { ownMerchant } from '../../merchants/incomplete.ts'
import { readMerchant, shownMerchant } from '../../merchants/settings.ts'
import { readFile, removeFile } from '../../platform/files/files.ts'
import { equals } from '../../platform/table/expressions.ts'
import { ConditionFailed, poll } from '../../platform/table/failures.ts'
import type { UploadItem } from '../../platform/table/items.ts'
import type { Key, MerchantId } from '../../platform/table/keys.ts'
import { getItem, updateItem } from '../../platform/table/table.ts'
import { type Action, update } from '../../platform/table/transact.ts'
import { ownerOf } from '../../values/picture-name.ts'
import { unixSeconds } from '../../values/time.ts'
import { placeOf, uploadKey } from './open.ts'

// Imported here because the decoding and drawing modules load slowly, and a repeat needs none of them.
const supplyPdf = async (merchant: MerchantId, { record, name }: Upload, bytes: Buffer, also: Action[]) => {
  const { supplyExpertise } = await import('../wine-pdf.ts')
  return supplyExpertise(merchant, record.id, name, bytes, also)
}

const supplyPicture = async (merchant: MerchantId, { record, type }: Upload, bytes: Buffer, also: Action[]) => {
  const [{ keepPicture }, { showPicture }] = await Promise.all([
    import('../pictures/supply.ts'),
    import('../pictures/show.ts'),
  ])
  const kept = await keepPicture(record.type, ownerOf(record.type, merchant, record.id), bytes, type)
  if ('refused' in kept) return kept.refused
  await showPicture(record.type, merchant, record.id, kept.path, also)
  return undefined
}

const readUpload = async (merchant: MerchantId, file: string): Promise<UploadItem> => {
  const upload = await getItem(uploadKey(merchant, file))
  if (upload && upload.expires > unixSeconds(Date.now())) return upload
  throw new Problem('upload_not_found')
}

/** Checks an uploaded file and lets its record have it; one transaction does so and closes the upload. */
const supply = async (merchant: MerchantId, file: string, upload: UploadItem): Promise<void> => {
  const stored = await readFile(placeOf(merchant, file), upload.size)
  if (!stored) throw new Problem('upload_not_found', { details: 'The file of this upload was not uploaded.' })
  const isOpen = [equals('expires', upload.expires), { attribute: 'done', is: 'absent' } as const]
  const close = [update('upload', uploadKey(merchant, file), { set: { done: true } }, isOpen)]
  const refused = await (upload.kind === 'expertise' ? supplyPdf : supplyPicture)(merchant, upload, stored.body, close)
  if (refused) throw new Problem('file_invalid', { details: `The file ${refused}.` })
}

const recordOf = async (merchant: MerchantId, { type, id }: Upload['record']) => {
  if (type === 'wine') return withInformation(wireWine(await readWine(merchant, id)))
  if (type === 'product') return findProduct(merchant, { id })
  if (type === 'category') return findCategory(merchant, { id })
  return ownMerchant(shownMerchant(await readMerchant(merchant)), 'desk')
}

// Longer than most files take; a commit that was killed blocks others until then.
const commitMs = 20_000

/** True if this commit may process the upload, false while another commit does. */
const begins = async (place: Key<UploadItem>, { expires }: UploadItem): Promise<boolean> => {
  const now = Date.now()
  const free = [{ attribute: 'until', is: 'absent' } as const, { attribute: 'until', is: '<=', value: now } as const]
  try {
    await updateItem(place, { set: { until: now + commitMs } }, [equals('expires', expires), { anyOf: free }])
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** Lets another commit begin. Ignores errors: `until` passes by itself. */
const giveUp = (place: Key<UploadItem>, { expires }: UploadItem): Promise<unknown> =>
  updateItem(place, { remove: ['until'] }, [equals('expires', expires)]).catch(() => {})

/** Of concurrent commits the first processes the file, and the others wait for it. */
const waitForCommit = (merchant: MerchantId, file: string): Promise<UploadItem> => {
  const place = uploadKey(merchant, file)
  return poll(
    async () => {
      const upload = await readUpload(merchant, file)
      if (upload.done) return upload
      if (!(await begins(place, upload))) return undefined
      try {
        await supply(merchant, file, upload)
      } catch (error) {
        await giveUp(place, upload)
        // Another commit may have been first after all, or the answer of the transaction was lost.
        if (!(await readUpload(merchant, file)).done) throw error
      }
      await removeFile(placeOf(merchant, file))
      return upload
    },
    () => 100 + Math.random() * 200,
  )
}

const recordWords: readonly string[] = ['wine_not_found', 'product_not_found', 'category_not_found']

const isRecordMissing = (error: unknown): boolean => error instanceof Problem && recordWords.includes(error.word)

/**
 * Commits an uploaded file and returns its record; a repeat returns the record as it is. A refused file may be uploaded again
 * while its form is valid. Throws upload_not_found, file_invalid or reference_not_found.
 */
export const commitUpload = async (merchant: MerchantId, file: string) => {
  try {
    const { record } = await waitForCommit(merchant, file)
    return await recordOf(merchant, record)
  } catch (error) {
    // The record was deleted after files/add.
    throw isRecordMissing(error) ? recordMissing() : error
  }
}
