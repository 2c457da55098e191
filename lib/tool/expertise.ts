import { basename } from 'node:path'
import { supplyExpertise } from '../../shared/media/wine-pdf.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { isPdfName } from '../../shared/values/supplied-file.ts'
import type { Progress } from './imports/run.ts'
import { Refused } from './merchants.ts'
import { originalsOf } from './stock.ts'
import { bytesOf, filesAt, type RefusedFile, supplyEach } from './supplies.ts'

type SupplyOptions = { path: string; articlenumber?: string | undefined; progress: Progress }

/**
 * Supplies a PDF file, or all PDF files of a folder, to the wines whose article number is the file name; for a single file
 * the article number may be given. Returns the number of accepted files, and the refused files with their reasons.
 */
export const supplyFiles = async (
  merchant: MerchantId,
  { path, articlenumber, progress }: SupplyOptions,
): Promise<{ taken: number; refused: RefusedFile[] }> => {
  const files = filesAt(path, /\.pdf$/i)
  if (articlenumber && files.length !== 1) throw new Refused('an article number can be given for a single file only')
  const originals = Map.groupBy(await originalsOf(merchant, 'wine'), wine => wine.articlenumber)
  return supplyEach(files, progress, async file => {
    // Some file systems store decomposed characters.
    const name = basename(file).normalize('NFC')
    const [wine, ...others] = originals.get(articlenumber ?? name.replace(/\.pdf$/i, '')) ?? []
    if (!wine) throw new Refused('is named after no article number of this merchant')
    if (others.length > 0) throw new Refused('is named after the article number of several wines')
    if (!isPdfName(name))
      throw new Refused(
        'has a name that cannot be part of a link: rename it (.pdf, at most 200 characters, no ? # %, no leading dot), and pass --articlenumber',
      )
    const refused = await supplyExpertise(merchant, wine.id, name, bytesOf(file))
    if (refused) throw new Refused(refused)
  })
}
