import type { Route } from '../contract/route.ts'

type Tag = { name: string; description: string; prefixes: readonly string[] }

/** The chapters of the reference, in reading order. A route belongs to the first chapter with a prefix of its path. */
export const tags: readonly Tag[] = [
  {
    name: 'Signing in',
    description: 'A merchant signs in with an API token; the session token opens every route below `/service/`.',
    prefixes: ['/service/login', '/service/logout', '/service/check/'],
  },
  {
    name: 'Merchant',
    description: 'The data of the merchant and the settings of its shop.',
    prefixes: ['/service/customers/'],
  },
  {
    name: 'Wines',
    description: "The merchant's own wines: lists, search, single records, edits, expertise PDFs.",
    prefixes: ['/service/wines/'],
  },
  {
    name: 'Categories',
    description: "The merchant's groups of wines.",
    prefixes: ['/service/categories/'],
  },
  { name: 'Wineries', description: 'Producers of the wines.', prefixes: ['/service/wineries/'] },
  { name: 'Products', description: 'Articles other than wine.', prefixes: ['/service/products/'] },
  {
    name: 'Price ranges',
    description: 'Groups of clients with their own prices; wines and products have a price for each.',
    prefixes: ['/service/priceRanges/'],
  },
  {
    name: 'Stock',
    description: 'How many pieces of wines and products are left, if they are counted.',
    prefixes: ['/service/stocks/'],
  },
  {
    name: 'Labels',
    description: 'Ingredients and nutrition of wines, and their electronic labels.',
    prefixes: ['/service/facts/', '/elabels/', '/e/'],
  },
  {
    name: 'Public wines',
    description: 'Public wines of all merchants. No credential; browsers may call these routes.',
    prefixes: ['/wines/'],
  },
  {
    name: 'Files',
    description: 'Expertise PDFs and pictures: reading and uploading them. Records hold their paths.',
    prefixes: ['/service/files/', '/PDF/', '/Images/'],
  },
  {
    name: 'Localization',
    description: 'Names of the ids and words in records, in German and English.',
    prefixes: ['/localization/'],
  },
  {
    name: 'Baskets',
    description: 'Items that a visitor collects for an order, and discount codes.',
    prefixes: ['/service/baskets/', '/service/campaigns/'],
  },
  {
    name: 'Packaging',
    description: 'Packages and shipping costs.',
    prefixes: ['/service/packaging/', '/service/packages/'],
  },
  {
    name: 'Orders',
    description: 'Placing orders, reading them, finishing and cancelling them.',
    prefixes: ['/service/orders/', '/service/checkouts/'],
  },
  {
    name: 'Payments',
    description: 'The return page of an external payment, and the events of its provider.',
    prefixes: ['/service/payments/', '/payments/'],
  },
  { name: 'Addresses', description: "Addresses of a merchant's clients.", prefixes: ['/service/addresses/'] },
  {
    name: 'Clients',
    description: "Accounts of a merchant's clients: registration, sign-in, their own data and orders.",
    prefixes: ['/service/clients/'],
  },
  {
    name: 'Reference',
    description: 'This document, the pages made from it, and the typed client.',
    prefixes: ['/openapi.json', '/docs', '/weinkontor-client.tgz'],
  },
]

/** Returns the name of a route's chapter. Throws for a path without a chapter. */
export const tagOf = ({ path }: Pick<Route, 'path'>): string => {
  const tag = tags.find(({ prefixes }) => prefixes.some(prefix => path.startsWith(prefix)))
  if (!tag) throw new Error(`no chapter of the reference has a prefix of ${path}: add one in shared/reference/tags.ts`)
  return tag.name
}
