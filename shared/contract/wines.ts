import * as v from 'valibot'
import { NewWine, PublicWine, Wine, WineChange } from './records/wine.ts'
import { answerHeaders, fileHeaders, route } from './route.ts'
import { CategorySearch, FilterFields, PublicSearch, ServiceSearch, TypeSearch } from './wine-search.ts'
import { Flag, Id } from './wire.ts'

const Named = v.array(v.strictObject({ id: v.number(), name: v.string() }))

/**
 * A wine as shops read it: with its categories by name, and with what existing clients read under further names. `price`
 * is `gross`; `expertiseStatus` is OK where `expertisePdf` leads to a sheet.
 */
export const ShownWine = v.strictObject({
  ...Wine.entries,
  price: v.string(),
  categories: Named,
  expertiseStatus: v.nullable(v.literal('OK')),
})

/** A wine in a list; where they were asked for, with its QR codes: what they say, and where they lead. */
export const ListedWine = v.strictObject({
  ...ShownWine.entries,
  qrcodes: v.optional(v.array(v.strictObject({ hash: v.string(), url: v.string() }))),
})

/**
 * The values of the fields that `cluster` asks for, over all matches; categories and wineries with their names. With
 * `clusterCounts: 1` also how many matches each value has, by field and value (an id where it has a name): both then over
 * what matches when the filter asks nothing of that field itself, as the facets of a shop show it.
 */
const WithClusters = v.object({
  clusters: v.optional(v.record(v.string(), v.union([v.array(v.union([v.string(), v.number()])), Named]))),
  clusterCounts: v.optional(v.record(v.string(), v.record(v.string(), v.number()))),
})

const readWines = {
  wine: ['queryIndex', 'batchGet'],
  category: ['query'],
  winery: ['query'],
  imports: ['get'],
} as const

/** What all Service lists of wines are: existing clients read them under further names. */
export const listWines = {
  client: 'prices',
  level: 'service',
  envelope: 'list',
  permissions: readWines,
  files: ['readSnapshots'],
  memory: 1024,
  aliases: { wines: 'data', pagination: 'pages' },
  beside: WithClusters,
} as const

// When the interface document's successor routes took over.
const deprecated = Date.UTC(2026, 0, 1) / 1000

export const winesGet = route({
  path: '/service/wines/get',
  level: 'service',
  client: 'prices',
  aliases: { wine: 'data' },
  isFlat: true,
  permissions: { wine: ['get'], slug: ['get'], category: ['query'], imports: ['get'] },
  body: v.object({ id: v.nullish(Id), path_segment: v.nullish(v.string()), inshop: v.nullish(Flag) }),
  response: ShownWine,
  errors: ['missing_identifier', 'identifier_conflict', 'wine_not_found'],
  summary:
    'Reads one wine by id or path_segment; with inshop only one that its shop sells. Its fields are at the top level, too.',
})

export const winesGetAll = route({
  path: '/service/wines/getAll',
  ...listWines,
  body: ServiceSearch,
  response: ListedWine,
  summary: "Lists the merchant's wines.",
})

export const winesSearch = route({
  path: '/service/wines/search',
  ...listWines,
  body: ServiceSearch,
  response: ListedWine,
  summary: "Searches the merchant's wines.",
})

export const winesGetByCategory = route({
  path: '/service/wines/getByCategory',
  ...listWines,
  body: CategorySearch,
  response: ShownWine,
  deprecated,
  errors: ['missing_identifier'],
  summary: 'Lists the wines of a category. Use getAll with a query on categoryIds.',
})

export const winesGetByType = route({
  path: '/service/wines/getByType',
  ...listWines,
  body: TypeSearch,
  response: ShownWine,
  deprecated,
  summary: 'Lists the wines of a type. Use getAll with a query on type.',
})

const writeWine = {
  wine: ['batchGet', 'get', 'put'],
  catalogue: ['batchGet', 'update'],
  quota: ['batchGet'],
  winery: ['batchGet'],
  category: ['batchGet'],
  priceRange: ['batchGet'],
  slug: ['query', 'put', 'delete'],
} as const

export const winesAdd = route({
  path: '/service/wines/add',
  level: 'service',
  permissions: { ...writeWine, wineOwner: ['put'], sequence: ['update'] },
  body: v.object({ data: NewWine }),
  response: Wine,
  errors: ['reference_not_found', 'price_inconsistent', 'slug_taken'],
  summary: 'Adds a wine.',
})

export const winesEdit = route({
  path: '/service/wines/edit',
  level: 'service',
  permissions: writeWine,
  body: v.object({ id: Id, data: WineChange }),
  response: Wine,
  errors: [
    'wine_not_found',
    'nothing_to_change',
    'version_conflict',
    'reference_not_found',
    'price_inconsistent',
    'slug_taken',
  ],
  summary: 'Changes the given fields of a wine.',
})

// A sheet is drawn by whichever route asks for it first.
const drawSheet = {
  wine: ['batchGet', 'get', 'put'],
  catalogue: ['batchGet', 'update'],
  merchant: ['get'],
  grape: ['batchGet'],
  drawing: ['put', 'delete'],
} as const
const drawing = { memory: 1769, timeout: 29, repeat: 'safe' } as const

export const winesGetExpertise = route({
  path: '/service/wines/getExpertise',
  level: 'service',
  envelope: 'bare',
  permissions: drawSheet,
  files: ['writeExpertise', 'readPictures'],
  ...drawing,
  body: v.object({ id: Id }),
  response: v.object({
    pdf: v.string(),
    templateFile: v.string(),
    'template-date': v.number(),
    'wine-date': v.number(),
    'existingPDF-data': v.number(),
    action: v.picklist(['created', 'updated', 'none']),
  }),
  errors: ['wine_not_found'],
  summary: "Makes sure that a wine's expertise PDF is there and up to date, and tells where.",
})

/**
 * The values of each field, sorted; 2 MB of them at most. Fields with so many values that only the first ones are there
 * are named in `cut`.
 */
const FilterValues = v.object({
  data: v.record(v.string(), v.array(v.union([v.string(), v.number()]))),
  cut: v.optional(v.array(v.string())),
})

const reading = ['GET', 'POST'] as const
// By GET: what a form posts is asked anew each time.
const publicRead = {
  methods: reading,
  level: 'public',
  headers: answerHeaders,
} as const
const publicList = {
  ...publicRead,
  permissions: { publicWine: ['queryIndex', 'batchGet'] },
  files: ['readSnapshots'],
  memory: 1024,
} as const

export const publicGetAll = route({
  path: '/wines/getAll',
  ...publicList,
  envelope: 'list',
  body: PublicSearch,
  response: PublicWine,
  summary: 'Lists publicly visible wines.',
})

export const publicSearch = route({
  path: '/wines/search',
  ...publicList,
  envelope: 'list',
  body: PublicSearch,
  response: PublicWine,
  summary: 'Searches publicly visible wines.',
})

export const publicGetFilters = route({
  path: '/wines/getFilters',
  ...publicList,
  permissions: { publicWine: ['queryIndex'] },
  envelope: 'bare',
  body: FilterFields,
  response: FilterValues,
  summary: 'Tells the distinct values of fields over publicly visible wines.',
})

export const publicGetPublic = route({
  path: '/wines/getPublic',
  ...publicRead,
  permissions: { publicWine: ['get'], publicHash: ['get'], publicSlug: ['query'] },
  body: v.object({ id: v.nullish(Id), hash: v.nullish(v.string()), path_segment: v.nullish(v.string()) }),
  response: PublicWine,
  errors: ['missing_identifier', 'identifier_conflict', 'wine_not_found'],
  summary: 'Reads one publicly visible wine.',
})

const servePdf = {
  permissions: { ...drawSheet, wineOwner: ['get'], publicWine: ['get'] },
  files: ['readExpertise', 'writeExpertise', 'readPictures'],
  ...drawing,
} as const

export const downloadExpertise = route({
  path: '/wines/downloadExpertise',
  methods: reading,
  level: 'public',
  envelope: 'raw',
  ...servePdf,
  body: v.object({ wineId: Id, expertiseFileName: v.string() }),
  response: v.unknown(),
  serves: { 302: null },
  headers: { sends: { location: 'Where the PDF is.' } },
  errors: ['expertise_not_found'],
  summary: "Redirects to a wine's expertise PDF.",
})

export const pdf = route({
  path: '/PDF/{id}/{file}',
  methods: ['GET'],
  level: 'public',
  envelope: 'raw',
  ...servePdf,
  body: v.object({ id: v.string(), file: v.string() }),
  response: v.unknown(),
  serves: { 200: 'application/pdf', 206: 'application/pdf', 304: null },
  headers: {
    reads: { ...fileHeaders.reads, range: 'A range of bytes, as `bytes=0-1023`.' },
    sends: { ...fileHeaders.sends, 'content-range': 'Which bytes of how many a 206 holds.' },
  },
  errors: ['expertise_not_found', 'range_not_satisfiable'],
  summary: "Returns the bytes of a wine's expertise PDF.",
})
