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
    description: 'What the merchant tells of itself, and how its shop sells.',
    begins: ['/service/customers/'],
  },
  {
    name: 'Wines',
    description: "The merchant's own wines: lists, search, single records, edits, expertise PDFs.",
    begins: ['/service/wines/'],
  },
  {
    name: 'Categories',
    description: 'How a merchant groups wines.',
    begins: ['/service/categories/'],
  },
  { name: 'Wineries', description: 'Who made the wines.', begins: ['/service/wineries/'] },
  { name: 'Products', description: 'What is sold beside wine.', begins: ['/service/products/'] },
  {
    name: 'Public wines',
    description: 'Wines of all merchants that may be shown to anybody. No credential; browsers may call these.',
    begins: ['/wines/'],
  },
  {
    name: 'Files',
    description: 'Expertise PDFs and pictures; records hold their paths.',
    begins: ['/PDF/', '/Images/'],
  },
  {
    name: 'Localization',
    description: 'What ids and words of records are called, in German and English.',
    begins: ['/localization/'],
  },
  {
    name: 'Baskets',
    description: 'What a visitor means to order, and discount codes for it.',
    begins: ['/service/baskets/', '/service/campaigns/'],
  },
  { name: 'Packaging', description: 'What sending costs.', begins: ['/service/packaging/'] },
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
