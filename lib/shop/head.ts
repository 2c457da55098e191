import { type Labels, labelOf, labels } from '../../shared/contract/labels/labels.ts'
import { escapeMarkup } from '../../shared/values/markup.ts'
import { abridge } from '../../shared/values/text.ts'
import { type Answer, isError } from '../client/index.ts'
import { readWine } from './api/catalogue.ts'
import { wines } from './api/list.ts'
import { wineLink, wineName } from './pages/names.js'
import { type PageName, pathOf, type Route } from './pages/router.js'
import de from './pages/texts/de.js'
import en from './pages/texts/en.js'
import type { Language, Visit } from './visit.ts'

/** The head of a page, for readers without scripts: search engines, and previews of links. */
export type Head = {
  status: 200 | 404
  language: Language
  title: string
  description: string
  /** The absolute URL; undefined for pages that search engines must not list. */
  canonical?: string
  /** Absolute URL of a picture. */
  image?: string
  /** A record of schema.org. */
  data?: object
}

type Texts = typeof de
type Wine = Answer<'/service/wines/get'>['wine']

const texts: Readonly<Record<Language, Texts>> = { de, en }
const maxDescription = 160

const notFoundHead = (language: Language): Head => {
  const { notFound, pageTitle } = texts[language]
  return { status: 404, language, title: pageTitle(notFound.title), description: notFound.lead }
}

/** Such as "Rotwein, Frankreich, Bordeaux". */
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
  if (!wine) return notFoundHead(language)
  const canonical = origin + wineLink(wine)
  const image = wine.image ? `${origin}${wine.image}?height=1280` : undefined
  const description = abridge(wine.description || kindOf(wine, language), maxDescription)
  const page = { url: canonical, description, ...(image && { image }) }
  const title = texts[language].pageTitle(wineName(wine))
  return { status: 200, language, title, description, canonical, ...(image && { image }), data: productOf(wine, page) }
}

const listHead = async (visit: Visit): Promise<Head> => {
  const { language, origin, fields } = visit
  const { list, pageTitle, description } = texts[language]
  const page = Number(fields.page ?? 1)
  if (page > 1 && page > (await wines(visit)).pages.total) return notFoundHead(language)
  const canonical = origin + pathOf('wines')
  return { status: 200, language, title: pageTitle(list.title), description, canonical }
}

/** The titles of the pages that search engines may list, without start, list and wines. */
const titles: { [Name in PageName]?: (t: Texts) => string } = {
  shipping: t => t.legal.shipping,
  imprint: t => t.legal.imprint,
  terms: t => t.legal.terms,
  withdrawal: t => t.legal.withdrawal,
  privacy: t => t.legal.privacy,
}

/** The pages that search engines may list, without those of wines. */
export const publicPages = ['start', 'wines', ...Object.keys(titles)] as PageName[]

/** Returns the head of a page; a head with status 404 for an unknown page or wine. */
export const headOf = async (visit: Visit, route: Route | undefined): Promise<Head> => {
  const { language, origin } = visit
  const t = texts[language]
  const basic: Head = { status: 200, language, title: t.name, description: t.description }
  if (!route) return notFoundHead(language)
  try {
    if (route.name === 'wine') return await wineHead(visit, route.params.id ?? '')
    if (route.name === 'wines') return await listHead(visit)
  } catch (error) {
    if (isError(error, 'wine_not_found', 'validation_failed')) return notFoundHead(language)
    // The page itself shows the error.
    return basic
  }
  const title = titles[route.name]?.(t)
  if (!title && route.name !== 'start') return basic
  return { ...basic, ...(title && { title: t.pageTitle(title) }), canonical: origin + pathOf(route.name) }
}

const meta = (key: 'name' | 'property', name: string, content: string): string =>
  `<meta ${key}="${name}" content="${escapeMarkup(content)}">`

/** The elements of a head, as HTML. */
export const headElements = ({ title, description, canonical, image, data }: Head): string =>
  [
    `<title>${escapeMarkup(title)}</title>`,
    meta('name', 'description', description),
    canonical ? `<link rel="canonical" href="${escapeMarkup(canonical)}">` : meta('name', 'robots', 'noindex'),
    meta('property', 'og:site_name', de.name),
    meta('property', 'og:type', data ? 'product' : 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(canonical ? [meta('property', 'og:url', canonical)] : []),
    ...(image ? [meta('property', 'og:image', image)] : []),
    // No text of a record can end the element.
    ...(data ? [`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`] : []),
  ].join('\n    ')
