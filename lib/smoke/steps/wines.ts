import { demand, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

/** The only wine that steps write. It is public during the walk, but by default not in the shop. */
const wineOf = ({ mark, options }: Walk) =>
  ({
    name: mark,
    articlenumber: mark,
    description: `Written by ${mark}; not for sale.`,
    type: 'white',
    countrycode: 'de',
    region: 1008,
    vintage: 2020,
    taxrate: 19,
    gross: '9.50',
    image: 'drawn',
    active: true,
    public: true,
    shop: options.isInShop === true,
  }) as const

/** Throws Difference unless a list contains only the wine of the walk. */
const onlyOwn = (walk: Walk, { data, totalCount }: { data: readonly { id: number }[]; totalCount: number }): void => {
  same(totalCount, 1, 'totalCount')
  same(data[0]?.id, walk.need('wine').id, 'data.0.id')
}

const own = ({ mark }: Walk) => ({ articlenumber: mark })

/** Adds and changes a wine; the merchant's own lists include it immediately. */
export const wineSteps: readonly Step[] = [
  step('/service/wines/getAll', 'lists the wines of the shop, with facets', async walk => {
    const dearest = { inshop: true, pageSize: 1, orderBy: 'gross DESC' } as const
    const answer = await walk.ask('/service/wines/getAll', { ...dearest, cluster: ['type', 'countrycode'] })
    same(Object.keys(answer.clusters ?? {}), ['type', 'countrycode'], 'the keys of clusters')
    walk.things.shopWine = answer.data[0]
    return `${answer.totalCount} wines`
  }),
  step('/service/wines/get', 'reads a wine by its path_segment', async walk => {
    const { id, path_segment } = walk.things.shopWine ?? {}
    if (!path_segment) return 'the shop has none'
    same((await walk.ask('/service/wines/get', { path_segment, inshop: true })).data, { id, path_segment })
  }),
  step('/service/wines/add', 'adds a wine', async walk => {
    walk.writes('wine')
    const { image, ...data } = wineOf(walk)
    const { data: wine } = await walk.ask('/service/wines/add', { data: { ...data, image } })
    walk.things.wine = wine
    const flags = { active: 1, public: 1, shop: Number(data.shop) }
    same(wine, { ...data, ...flags, net: '7.98', tax: '1.52', customers_id: walk.need('customer') })
  }),
  step('/service/wines/get', 'reads the wine', async walk => {
    const wine = walk.need('wine')
    const { data, wine: repeated } = await walk.ask('/service/wines/get', { id: wine.id })
    same(data, wine)
    same(repeated, data, 'wine')
    const bySlug = await walk.ask('/service/wines/get', { path_segment: wine.path_segment })
    same(bySlug.data.id, wine.id, 'data.id')
  }),
  step('/service/wines/get', 'is refused without a session', async walk => {
    await walk.refused('/service/wines/get', { id: walk.need('wine').id }, 'token_missing', { anonymous: true })
  }),
  step('/service/wines/edit', 'changes the wine', async walk => {
    const { id, version } = walk.need('wine')
    const change = { gross: '10.00', place: walk.mark }
    const { data } = await walk.ask('/service/wines/edit', { id, data: { ...change, version } })
    same(data, { id, ...change, net: '8.40', tax: '1.60', name: walk.mark })
    same((await walk.ask('/service/wines/get', { id })).data, data)
    walk.things.wine = data
  }),
  step('/service/wines/getAll', 'lists the wine', async walk => {
    const answer = await walk.ask('/service/wines/getAll', { query: own(walk), cluster: ['vintage'], qrcodes: true })
    onlyOwn(walk, answer)
    same(answer.clusters, { vintage: [2020] }, 'clusters')
  }),
  step('/service/wines/search', 'searches wines by text and filter', async walk => {
    await walk.ask('/service/wines/search', { query: 'riesling', filter: { countrycode: 'de' }, pageSize: 1 })
    onlyOwn(walk, await walk.ask('/service/wines/search', { query: walk.mark, filter: { vintage: 2020 } }))
  }),
  step('/service/wines/getByType', 'lists wines of a type', async walk => {
    const { data, totalCount } = await walk.ask('/service/wines/getByType', { type: 'white', max: 5 })
    demand(totalCount > 0, 'there are none')
    demand(
      data.every(({ type }) => type === 'white'),
      'a wine is of another type',
    )
  }),
  step('/service/wines/getExpertise', 'draws the sheet of the wine', async walk => {
    const { id } = walk.need('wine')
    const { action, pdf } = await walk.ask('/service/wines/getExpertise', { id })
    demand(action !== 'none', 'the sheet was there before')
    const { data } = await walk.ask('/service/wines/get', { id })
    same(pdf, data.expertisePdf, 'pdf')
    walk.things.wine = data
  }),
]
