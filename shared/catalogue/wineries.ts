import { completeWinery, type Winery } from '../contract/records/winery.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'
import { cachedRecords, findNamed, listRecords, type RecordList, type RecordName, withSegment } from './records.ts'

type Inshop = { inshop?: 0 | 1 | null | undefined }

/** The winery of a response; existing clients read its name as company. */
const shownFrom = (item: Winery, { inshop }: Inshop): Winery[] => {
  const winery = withSegment(completeWinery(item))
  return inshop && !winery.active ? [] : [{ ...winery, company: winery.company ?? winery.name }]
}

const readAll = async (merchant: MerchantId, asked: Inshop): Promise<Winery[]> =>
  (await cachedRecords('winery', merchant)).flatMap(item => shownFrom(item, asked))

/**
 * Reads a winery; with `inshop` only an active winery. Throws missing_identifier, identifier_conflict or
 * winery_not_found.
 */
export const findWinery = (merchant: MerchantId, asked: RecordName & Inshop): Promise<Winery> =>
  findNamed(asked, {
    missing: 'winery_not_found',
    one: async id => {
      const item = await getItem(key('winery', { merchant, id }))
      return item && shownFrom(item, asked)[0]
    },
    all: () => readAll(merchant, asked),
  })

/** Lists a merchant's wineries; with `inshop` only active wineries. */
export const listWineries = async (merchant: MerchantId, asked: RecordList<Winery> & Inshop) =>
  listRecords(await readAll(merchant, asked), asked)
