import { publicPages } from './head.ts'
import { wineLink } from './pages/names.js'
import { pathOf, paths } from './pages/router.js'
import { readCellar } from './search/cellar.ts'
import type { Visit } from './visit.ts'

// Slugs and ids have no sign that XML knows another way of writing for.
const entry = (address: string): string => `<url><loc>${address}</loc></url>`

/** The addresses of all pages that searches may find, in the form of sitemaps.org. */
export const sitemapFor = async (visit: Visit): Promise<string> => {
  const { wines } = await readCellar(visit)
  const found = [...publicPages.map(name => pathOf(name)), ...wines.map(({ one }) => wineLink(one))]
  const entries = found.map(path => entry(visit.origin + path)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`
}

/** What robots may read: all but what only a visitor has. */
export const robotsFor = ({ origin }: Pick<Visit, 'origin'>): string => {
  const own = Object.entries(paths).filter(([name]) => name !== 'wine' && !publicPages.some(one => one === name))
  const closed = ['/shop/api/', ...own.map(([, path]) => path.replace(/:.*/, ''))]
  const lines = closed.map(path => `Disallow: ${path}`)
  return ['User-agent: *', ...lines, '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
}
