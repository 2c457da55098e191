import { publicPages } from './head.ts'
import { wineLink } from './pages/names.js'
import { pathOf, paths } from './pages/router.js'
import { readWineIndex } from './search/wine-index.ts'
import type { Visit } from './visit.ts'

/** The sitemap (sitemaps.org) of all pages that search engines may list. */
export const sitemapFor = async (visit: Visit): Promise<string> => {
  const { wines } = await readWineIndex(visit)
  const paths = [...publicPages.map(name => pathOf(name)), ...wines.map(({ item }) => wineLink(item))]
  // Slugs and ids need no escapes in XML.
  const entries = paths.map(path => `<url><loc>${visit.origin}${path}</loc></url>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`
}

/** Closes the pages of a single visitor to robots. */
export const robotsFor = ({ origin }: Pick<Visit, 'origin'>): string => {
  const own = Object.entries(paths).filter(([name]) => name !== 'wine' && !publicPages.some(one => one === name))
  const closed = ['/shop/api/', ...own.map(([, path]) => path.replace(/:.*/, ''))]
  const lines = closed.map(path => `Disallow: ${path}`)
  return ['User-agent: *', ...lines, '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
}
