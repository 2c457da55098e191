import { factsKey, factsOf, shownNutrition } from '../../catalogue/wines/facts.ts'
import { publishedLabel } from '../../catalogue/wines/label.ts'
import { labelUrl, wineOf } from '../../catalogue/wines/stored.ts'
import { Problem } from '../../contract/errors.ts'
import { type LabelLanguage, labelLanguages } from '../../contract/labels/label-tables.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import { factRows } from './rows.ts'

type Language = LabelLanguage | null | undefined

/** The language of names: the requested language, that of the wine where labels have it, else German. */
const languageOf = (asked: Language, own: string): LabelLanguage =>
  asked ?? labelLanguages.find(one => one === own) ?? 'de'

/** Reads the facts of a wine as they are stored now. Throws wine_not_found. */
export const readFacts = async (merchant: MerchantId, id: number, asked: Language, baseUrl: string) => {
  const [item, factsItem] = await getItems([key('wine', { merchant, id }), factsKey(merchant, id)])
  if (!item) throw new Problem('wine_not_found')
  const wine = wineOf(item)
  const { published, withdrawn, ...facts } = factsOf(factsItem)
  const nutrition = facts.nutrition && shownNutrition(wine, facts.nutrition)
  const status = wine.label ?? 'none'
  return {
    data: factRows({ ...facts, nutrition }, languageOf(asked, wine.language)),
    facts,
    label: { status, url: status === 'published' ? labelUrl(baseUrl, wine.hash) : null } as const,
  }
}

const hashIn = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()

/** Reads the rows of a published label. Throws label_not_found or label_withdrawn. */
export const readElabel = async (uuid: string, asked: Language, baseUrl: string) => {
  const label = await publishedLabel(hashIn(uuid))
  return { data: factRows(label, languageOf(asked, label.language)), url: labelUrl(baseUrl, label.hash) }
}
