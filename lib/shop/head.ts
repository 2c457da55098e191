import { type Labels, labelOf, labels } from '../../shared/contract/labels.ts'
import { abridged } from '../../shared/values/text.ts'
import { type Answer, isError } from '../client/index.ts'
import { readWine } from './api/catalogue.ts'
import { wines } from './api/list.ts'
import { wineLink, wineName } from './pages/names.js'
import { type PageName, type Place, pathOf } from './pages/router.js'
import de from './pages/texts/de.js'
import en from './pages/texts/en.js'
import type { Language, Visit } from './visit.ts'

/** What the head of a page says of it, to who reads it without its scripts: search engines, and links in messages. */
export type Head = {
  status: 200 | 404
  language: Language
  title: string
  description: string
  /** The page's own address, the absolute one; undefined for pages that are not to be found by a search. */
  canonical?: string
  /** Absolute address of a picture. */
  image?: string
  /** A record of schema.org. */
  data?: object
}

type Texts = typeof de
type Wine = Answer<'/service/wines/get'>['wine']

const texts: Readonly<Record<Language, Texts>> = { de, en }
const longest = 160

const missing = (language: Language): Head => {
  const { notFound, pageTitle } = texts[language]
  return { status: 404, language, title: pageTitle(notFound.title), description: notFound.lead }
}

/** What kind of wine it is, and where it is from, such as "Rotwein, Frankreich, Bordeaux". */
const kindOf = ({ type, countrycode, region, place }: Wine, language: Language): string => {
  const regions: Readonly<Record<string, Labels>> = labels.wineregions
  const names = [
    ...[labelOf(labels.winetypes, type, language), labelOf(labels.countries, countrycode, language)],
    ...[labelOf(regions[countrycode], region, language), place],
  ]
  return [...new Set(names.filter(Boolean))].join(', ')
}

const productOf = (wine: Wine, { url, image, description }: { url: string; image?: string; description: string }) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: wineName(wine),
  url,
  ...(image && { image }),
  description,
  ...(wine.articlenumber && { sku: wine.articlenumber }),
  ...(wine.gtin && { gtin: wine.gtin }),
  ...(wine.winery && { brand: { '@type': 'Brand', name: wine.winery.name } }),
  offers: {
    '@type': 'Offer',
    url,
    price: wine.gross,
    priceCurrency: 'EUR',
    itemCondition: 'https://schema.org/NewCondition',
    availability: `https://schema.org/${wine.nostock === 1 ? 'OutOfStock' : 'InStock'}`,
  },
})

const wineHead = async (visit: Visit, id: string): Promise<Head> => {
  const { language, origin } = visit
  const wine = await readWine(visit, id)
  if (!wine) return missing(language)
  const canonical = origin + wineLink(wine)
  const image = wine.image ? `${origin}${wine.image}?height=1280` : undefined
  const description = abridged(wine.description || kindOf(wine, language), longest)
  const page = { url: canonical, description, ...(image && { image }) }
  const title = texts[language].pageTitle(wineName(wine))
  return { status: 200, language, title, description, canonical, ...(image && { image }), data: productOf(wine, page) }
}

const listHead = async (visit: Visit): Promise<Head> => {
  const { language, origin, fields } = visit
  const { list, pageTitle, description } = texts[language]
  const page = Number(fields.page ?? 1)
  // Only a page of another number than the first may be missing.
  if (page > 1 && page > (await wines(visit)).pages.total) return missing(language)
  const canonical = origin + pathOf('wines')
  return { status: 200, language, title: pageTitle(list.title), description, canonical }
}

/** The pages that searches may find, beside wines: what each is called. */
const titles: { [Name in PageName]?: (t: Texts) => string } = {
  shipping: t => t.legal.shipping,
  imprint: t => t.legal.imprint,
  terms: t => t.legal.terms,
  withdrawal: t => t.legal.withdrawal,
  privacy: t => t.legal.privacy,
}

/** The names of the pages that searches may find without a name of a wine. */
export const publicPages = ['start', 'wines', ...Object.keys(titles)] as PageName[]

/** What the head of a page says. A page that nobody has, or a wine that is not in the shop, has the status 404. */
export const headOf = async (visit: Visit, place: Place | undefined): Promise<Head> => {
  const { language, origin } = visit
  const t = texts[language]
  const usual: Head = { status: 200, language, title: t.name, description: t.description }
  if (!place) return missing(language)
  try {
    if (place.name === 'wine') return await wineHead(visit, place.params.id ?? '')
    if (place.name === 'wines') return await listHead(visit)
  } catch (error) {
    if (isError(error, 'wine_not_found', 'validation_failed')) return missing(language)
    // The page itself says what failed, once it is shown.
    return usual
  }
  const title = titles[place.name]?.(t)
  if (!title && place.name !== 'start') return usual
  return { ...usual, ...(title && { title: t.pageTitle(title) }), canonical: origin + pathOf(place.name) }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => escapes[sign] ?? '')

const meta = (key: 'name' | 'property', name: string, content: string): string =>
  `<meta ${key}="${name}" content="${escaped(content)}">`

/** The elements of a head, as HTML. */
export const headElements = ({ title, description, canonical, image, data }: Head): string =>
  [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    canonical ? `<link rel="canonical" href="${escaped(canonical)}">` : meta('name', 'robots', 'noindex'),
    meta('property', 'og:site_name', de.name),
    meta('property', 'og:type', data ? 'product' : 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(canonical ? [meta('property', 'og:url', canonical)] : []),
    ...(image ? [meta('property', 'og:image', image)] : []),
    // No text of a record ends the element.
    ...(data ? [`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`] : []),
  ].join('\n    ')
