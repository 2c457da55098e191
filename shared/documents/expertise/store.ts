import { randomUUID } from 'node:crypto'
import { readWine } from '../../catalogue/wines/store.ts'
import { labelUrl, motifOf, type StoredWine } from '../../catalogue/wines/stored.ts'
import { changeWine } from '../../catalogue/wines/write.ts'
import { grapeName } from '../../contract/labels/labels.ts'
import { storePdf, withPdfFile } from '../../media/wine-pdf.ts'
import { readMerchant, timeZoneOf } from '../../merchants/settings.ts'
import { readFile } from '../../platform/files/files.ts'
import { poll } from '../../platform/table/failures.ts'
import type { ExpertiseFile, MerchantItem, RecordItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { acquireLease, releaseLease } from '../../platform/table/lease.ts'
import { getItem, getItems } from '../../platform/table/table.ts'
import type { Action } from '../../platform/table/transact.ts'
import { asSoldBy, type TaxFree } from '../../values/money.ts'
import { pictureAt, sheetPictureKey } from '../../values/picture-name.ts'
import { parseTimestamp, unixSeconds } from '../../values/time.ts'
import type { ShownFacts } from '../elabels/rows.ts'
import type { Merchant } from './content.ts'
import { languageOf } from './labels.ts'
import type { SheetPicture } from './picture.ts'
import { isFresh, templateVersion } from './template.ts'

/** Returns the names of a wine's grapes, in its order: labels, else the names of the merchant's own grapes. */
const grapeNames = async (merchant: MerchantId, wine: StoredWine): Promise<string[]> => {
  const language = languageOf(wine)
  const own = wine.grapetypeIds.filter(id => grapeName(id, language) === null)
  const items = own.length > 0 ? await getItems(own.map(id => key('grape', { merchant, id }))) : []
  const ownNames = new Map(own.map((id, n) => [id, items[n]?.name]))
  return wine.grapetypeIds.flatMap(id => grapeName(id, language) ?? ownNames.get(id) ?? [])
}

type FactsItem = RecordItem | undefined

/** Returns the facts of a wine that its sheet shows, and the check that they are still those. */
const factsOfSheet = async (
  merchant: MerchantId,
  wine: StoredWine,
  item: FactsItem,
): Promise<{ facts: ShownFacts; unchanged: Action }> => {
  // Imported here, as the drawing modules below.
  const { factsOf, factsUnchanged, shownNutrition } = await import('../../catalogue/wines/facts.ts')
  const { ingredients, packaging, nutrition } = factsOf(item)
  return {
    facts: { ingredients, packaging, nutrition: nutrition && shownNutrition(wine, nutrition) },
    unchanged: factsUnchanged(merchant, wine.id, item),
  }
}

/** Returns the picture of a wine's sheet; undefined for a wine without a stored picture. */
const pictureOfSheet = async (wine: StoredWine): Promise<SheetPicture | undefined> => {
  const picture = wine.image === null ? undefined : pictureAt(wine.image)
  if (!picture) return undefined
  if (picture.drawnFor !== undefined) {
    const { drawWine } = await import('../../media/pictures/drawn/picture.ts')
    return { drawing: drawWine(motifOf(wine)) }
  }
  const { width, height } = picture
  const file = await readFile(sheetPictureKey(picture))
  return file && { jpeg: file.body, width, height }
}

// Other fields of the account are confidential.
const shownOf = ({ name, company, address, zip, city, phone, mail, www, ...own }: MerchantItem): Merchant => ({
  ...{ name, company, address, zip, city, phone, mail, www, timezone: timeZoneOf(own) },
})

// Imported here because the drawing modules load slowly, and are not needed if the file exists.
const loadDrawing = () => import('./sheet.ts')

type Drawn = { item: FactsItem; after: StoredWine; facts: readonly Action[] }

const createSheet = async (
  merchant: MerchantId,
  wine: StoredWine,
  item: FactsItem,
  baseUrl: string,
): Promise<Drawn> => {
  const [account, grapes, picture, { facts, unchanged }] = await Promise.all([
    getItem(key('merchant', { merchant })),
    grapeNames(merchant, wine),
    pictureOfSheet(wine),
    factsOfSheet(merchant, wine, item),
  ])
  const { drawSheet } = await loadDrawing()
  const url = wine.label === 'published' ? labelUrl(baseUrl, wine.hash) : undefined
  const details = { grapeNames: grapes, picture, facts, labelUrl: url }
  const bytes = await drawSheet(asSoldBy(account ?? {}, wine), {
    ...details,
    ...(account && { merchant: shownOf(account) }),
  })
  const after = withPdfFile(wine, wine.pdf ?? `${wine.path_segment}.pdf`, {
    key: await storePdf(bytes),
    bytes: bytes.length,
    supplied: false,
    // The wine's version after this change.
    wine: wine.version + 1,
    template: templateVersion.date,
    tax_free: account?.tax_free ?? 0,
  })
  return { item, after, facts: [unchanged] }
}

const outcome = (wine: StoredWine, existing: number, action: 'created' | 'updated' | 'none') => ({
  // The sheet of a wine that is neither public nor in the shop has no path.
  pdf: wine.expertisePdf ?? '',
  templateFile: templateVersion.file,
  'template-date': templateVersion.date,
  'wine-date': unixSeconds(parseTimestamp(wine.chstamp)),
  'existingPDF-data': existing,
  action,
})

type Ensured = { wine: StoredWine; before: ExpertiseFile | undefined; isDrawn: boolean }

const ensuredAlone = async (merchant: MerchantId, id: number, seller: TaxFree, baseUrl: string): Promise<Ensured> => {
  let before: ExpertiseFile | undefined
  let made: Drawn | undefined
  const redraw = async (current: StoredWine): Promise<Drawn> => {
    const item = await getItem(key('facts', { merchant, id }))
    // Changes of other wines do not outdate the sheet.
    const isCurrent = made?.after.version === current.version && made.item?.version === item?.version
    return made && isCurrent ? made : createSheet(merchant, current, item, baseUrl)
  }
  const wine = await changeWine(merchant, id, async current => {
    before = current.expertise
    // Another request may have drawn it while this request waited.
    made = isFresh(current.expertise, current.version, seller) ? undefined : await redraw(current)
    return made ?? null
  })
  return { wine, before, isDrawn: made !== undefined }
}

// Longer than drawing takes, so a crashed request blocks others only until then.
const leaseMs = 10_000

/** Of concurrent requests for a wine the first draws, and the others wait for its sheet. */
const ensureSheet = (merchant: MerchantId, id: number, baseUrl: string): Promise<Ensured> => {
  const [lease, owner] = [key('sheetLease', { merchant, wine: id }), randomUUID()]
  return poll(
    async () => {
      const [present, seller] = await Promise.all([readWine(merchant, id), readMerchant(merchant)])
      if (isFresh(present.expertise, present.version, seller)) {
        return { wine: present, before: present.expertise, isDrawn: false }
      }
      if (!(await acquireLease(lease, owner, leaseMs))) return undefined
      return ensuredAlone(merchant, id, seller, baseUrl).finally(() => releaseLease(lease, owner))
    },
    () => 100 + Math.random() * 200,
  )
}

/**
 * Draws a wine's sheet if it has no PDF, or a drawn PDF that is older than the wine, its merchant's `tax_free` or the template;
 * never replaces a supplied PDF. The QR code of its label leads to `baseUrl`. Throws wine_not_found.
 */
export const ensureExpertise = async (merchant: MerchantId, id: number, baseUrl: string) => {
  const { wine, before, isDrawn } = await ensureSheet(merchant, id, baseUrl)
  return outcome(wine, before?.date ?? 0, isDrawn ? (before ? 'updated' : 'created') : 'none')
}

/** Returns the file of a wine's PDF, drawn in the same cases. Throws wine_not_found. */
export const ensureFile = async (
  merchant: MerchantId,
  id: number,
  baseUrl: string,
): Promise<ExpertiseFile | undefined> => (await ensureSheet(merchant, id, baseUrl)).wine.expertise
