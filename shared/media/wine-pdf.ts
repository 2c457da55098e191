import { createHash } from 'node:crypto'
import { type StoredWine, withPdf } from '../catalogue/wines/stored.ts'
import { changeWine } from '../catalogue/wines/write.ts'
import { writeFile } from '../platform/files/files.ts'
import type { ExpertiseFile } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import type { Action } from '../platform/table/transact.ts'
import { isWholePdf } from '../values/supplied-file.ts'
import { unixSeconds } from '../values/time.ts'

// Of 200 characters each, they take up to 30 KB of the wine.
const maxNames = 50

/** Returns a wine with another PDF; links by its last names stay valid. */
export const withPdfFile = (
  wine: StoredWine,
  name: string,
  file: Omit<ExpertiseFile, 'names' | 'date'>,
): StoredWine => {
  // Includes the name of the link before the first file.
  const before = wine.expertise?.names ?? (wine.pdf ? [wine.pdf] : [])
  const names = [...before.filter(one => one !== name), name].slice(-maxNames)
  const expertise = { ...file, names, date: unixSeconds(Date.now()) }
  return withPdf({ ...wine, pdf: name, expertise })
}

/** Stores a PDF under its digest, so an existing file is identical, and returns its place in the bucket. */
export const storePdf = async (bytes: Buffer): Promise<string> => {
  const place = `expertise/${createHash('sha256').update(bytes).digest('hex')}.pdf`
  await writeFile(place, bytes, 'application/pdf', 'only if absent')
  return place
}

/**
 * Replaces a wine's PDF by a PDF of the merchant; `name` is its new file name. `also` are actions of the same transaction.
 * Returns the reason if the bytes are refused. Throws wine_not_found, and TransactionRefused if an action of `also` fails.
 */
export const supplyExpertise = async (
  merchant: MerchantId,
  id: number,
  name: string,
  bytes: Buffer,
  also: readonly Action[] = [],
): Promise<string | undefined> => {
  if (!isWholePdf(bytes)) return 'is not a whole PDF'
  const file = { key: await storePdf(bytes), bytes: bytes.length, supplied: true, wine: 0, template: 0 }
  const change = async (wine: StoredWine) => {
    const same = wine.expertise?.key === file.key && wine.expertise.supplied && wine.pdf === name
    return same ? null : { after: withPdfFile(wine, name, file) }
  }
  await changeWine(merchant, id, change, also)
  return undefined
}
