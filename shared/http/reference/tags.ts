import type { Route } from '../../contract/route.ts'

type Tag = { name: string; description: string; begins: readonly string[] }

/** The chapters of the reference, in reading order; a route belongs to the one with whose paths its own begins. */
export const tags: readonly Tag[] = [
  {
    name: 'Signing in',
    description: 'A merchant signs in with an API token; the session token opens every route below `/service/`.',
    begins: ['/service/login', '/service/logout', '/service/check/'],
  },
  {
    name: 'Merchant',
    description: 'The data of the merchant and the settings of its shop.',
    begins: ['/service/customers/'],
  },
  {
    name: 'Wines',
    description: "The merchant's own wines: lists, search, single records, edits, expertise PDFs.",
    begins: ['/service/wines/'],
  },
  {
    name: 'Categories',
    description: "The merchant's groups of wines.",
    begins: ['/service/categories/'],
  },
  { name: 'Wineries', description: 'Producers of the wines.', begins: ['/service/wineries/'] },
  { name: 'Products', description: 'Articles other than wine.', begins: ['/service/products/'] },
  {
    name: 'Stock',
    description: 'How many pieces of wines and products are left, if they are counted.',
    begins: ['/service/stocks/'],
  },
  {
    name: 'Public wines',
    description: 'Public wines of all merchants. No credential; browsers may call these routes.',
    begins: ['/wines/'],
  },
  {
    name: 'Files',
    description: 'Expertise PDFs and pictures; records hold their paths.',
    begins: ['/PDF/', '/Images/'],
  },
  {
    name: 'Localization',
    description: 'Names of the ids and words in records, in German and English.',
    begins: ['/localization/'],
  },
  {
    name: 'Baskets',
    description: 'Items that a visitor collects for an order, and discount codes.',
    begins: ['/service/baskets/', '/service/campaigns/'],
  },
  { name: 'Packaging', description: 'Packages and shipping costs.', begins: ['/service/packaging/'] },
  {
    name: 'Orders',
    description: 'Placing orders, reading them, finishing and cancelling them.',
    begins: ['/service/orders/', '/service/checkouts/'],
  },
  {
    name: 'Payments',
    description: 'The return page of an external payment, and the events of its provider.',
    begins: ['/service/payments/', '/payments/'],
  },
  { name: 'Addresses', description: "Addresses of a merchant's clients.", begins: ['/service/addresses/'] },
  {
    name: 'Clients',
    description: "Accounts of a merchant's clients: registration, sign-in, their own data and orders.",
    begins: ['/service/clients/'],
  },
  {
    name: 'Reference',
    description: 'This document, the pages made from it, and the typed client.',
    begins: ['/openapi.json', '/docs', '/weinkontor-client.tgz'],
  },
]

/** The chapter of a route. Throws for a path that no chapter is for. */
export const tagOf = ({ path }: Pick<Route, 'path'>): string => {
  const tag = tags.find(({ begins }) => begins.some(beginning => path.startsWith(beginning)))
  if (!tag) throw new Error(`no chapter of the reference is for ${path}; shared/http/reference/tags.ts lists them`)
  return tag.name
}
