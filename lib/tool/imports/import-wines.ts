import { setTimeout } from 'node:timers/promises'
import { TransactionRefused } from '../../../shared/table/failures.ts'
import { indexKey, key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { retrying } from '../../../shared/table/retry.ts'
import { getItem, query, queryEntries, updateItem } from '../../../shared/table/table.ts'
import { slug } from '../../../shared/text.ts'
import { timestamp } from '../../../shared/time.ts'
import { type NamedRecords, wineFromRow, withRow } from '../../../shared/wines/apply-row.ts'
import { type ImportPlan, planImport } from '../../../shared/wines/import.ts'
import type { ImportRow } from '../../../shared/wines/import-row.ts'
import { wineOf } from '../../../shared/wines/item.ts'
import { shardOf, wineIdOf } from '../../../shared/wines/public.ts'
import type { StoredWine, Wine, Winery } from '../../../shared/wines/record.ts'
import { actionCount, maxActions, type Versions, type WineWrite, writeWines } from '../../../shared/wines/write.ts'
import type { Progress } from './import-records.ts'
import { ensureNamed, namedRecords, readNamed } from './named-records.ts'
import { readStocks } from './read-records.ts'

/** Everything of a merchant that an import compares its rows with. */
export type CatalogueState = {
  wines: StoredWine[]
  records: Awaited<ReturnType<typeof readNamed>>
  stocks: Map<number, number | null>
  versions: Versions
}

const readVersions = async (merchant: MerchantId): Promise<Versions> => {
  const [own, shard] = await Promise.all([
    getItem(key('catalogue', { merchant })),
    getItem(key('publicVersion', { shard: shardOf(merchant) })),
  ])
  return { catalogue: own?.version ?? 0, shard: shard?.version ?? 0 }
}

const changedSince = (version: number) => ({ indexed: true, above: indexKey('wine', { version }) }) as const

/**
 * Reads a merchant's whole catalogue, or of the wines just what changed since it was read before. The versions come
 * first: what changes after them, the writes will notice.
 */
export const readCatalogue = async (merchant: MerchantId, before?: CatalogueState): Promise<CatalogueState> => {
  const versions = await readVersions(merchant)
  const [items, records, stocks] = await Promise.all([
    query({ pk: partition('wine', { merchant }), ...(before && changedSince(before.versions.catalogue)) }),
    readNamed(merchant),
    readStocks(merchant, 'wine'),
  ])
  const wines = new Map([...(before?.wines ?? []), ...items.map(wineOf)].map(wine => [wine.id, wine]))
  return { wines: [...wines.values()], records, stocks, versions }
}

/** What importing the rows would do. */
export const planWines = (
  { wines, records, stocks }: CatalogueState,
  rows: readonly ImportRow[],
  lines?: readonly number[],
): ImportPlan =>
  planImport(wines, rows, {
    categories: new Map(records.categories.map(({ id, name }) => [id, name])),
    stocks,
    ...(lines && { lines }),
  })

/** Picks free path_segments: of the name, then with the vintage, then with a number. */
const slugPicker = (wines: readonly Wine[]) => {
  const taken = new Set(wines.map(wine => wine.path_segment))
  return ({ name, vintage }: Pick<ImportRow, 'name' | 'vintage'>, own?: string): string => {
    const base = slug(name)
    const dated = vintage ? `${base}-${vintage}` : base
    const isFree = (candidate: string) => candidate === own || !taken.has(candidate)
    let found = [base, dated].find(isFree)
    for (let n = 2; !found; n++) found = [`${dated}-${n}`].find(isFree)
    taken.add(found)
    return found
  }
}

const takeNumbers = async (count: number): Promise<number> => {
  const { value } = await updateItem(key('sequence', { name: 'wines' }), { add: { value: count } })
  return value - count
}

type Birthplace = { merchant: MerchantId; named: NamedRecords; now: string; pick: ReturnType<typeof slugPicker> }

const additionsOf = async (
  rows: readonly ImportRow[],
  { merchant, named, now, pick }: Birthplace,
): Promise<WineWrite[]> => {
  const before = rows.length > 0 ? await takeNumbers(rows.length) : 0
  return rows.map((row, n) => {
    const id = wineIdOf(merchant, before + n + 1)
    const birth = { id, customers_id: merchant, cruser_id: 0, path_segment: pick(row), now }
    return { before: null, after: wineFromRow(birth, row, named), stock: row.stock }
  })
}

const changesOf = ({ changes }: ImportPlan, { named, now, pick }: Birthplace): WineWrite[] =>
  changes.map(({ wine, row, fields }) => {
    const after = withRow(wine, row, named)
    const renamed = after.name !== wine.name && slug(after.name) !== slug(wine.name)
    const path_segment = renamed ? pick(after, wine.path_segment) : wine.path_segment
    return {
      before: wine,
      after: { ...after, path_segment, version: wine.version + 1, chstamp: now },
      // An order may take from the stock at this moment; only a stock that the file changes is written.
      stock: fields.some(({ name }) => name === 'stock') ? row.stock : undefined,
    }
  })

const isSame = (winery: Winery, embedded: Winery | null): boolean =>
  Object.entries(winery).every(([field, value]) => embedded?.[field as keyof Winery] === value)

/** Wines that no row changes, but whose winery has, be it in an import that was stopped. */
const reembedded = (
  wines: readonly StoredWine[],
  wineries: readonly Winery[],
  written: ReadonlySet<number>,
  now: string,
): WineWrite[] => {
  const byId = new Map(wineries.map(winery => [winery.id, winery]))
  return wines.flatMap(wine => {
    const winery = byId.get(wine.winery_id ?? 0)
    if (!winery || written.has(wine.id) || isSame(winery, wine.winery)) return []
    return [{ before: wine, after: { ...wine, winery, version: wine.version + 1, chstamp: now } }]
  })
}

const batchesOf = (writes: readonly WineWrite[]): WineWrite[][] => {
  const batches: WineWrite[][] = []
  let room = 0
  for (const write of writes) {
    const size = actionCount(write)
    if (size > room) {
      batches.push([])
      room = maxActions - 2
    }
    batches.at(-1)?.push(write)
    room -= size
  }
  return batches
}

/** The versions as they are now. Throws TransactionRefused, `added`, when somebody wrote one of the numbers to add. */
const versionsNow = async (
  merchant: MerchantId,
  { catalogue }: Versions,
  added: ReadonlySet<string | null>,
): Promise<Versions> => {
  const [{ shard }, entries] = await Promise.all([
    readVersions(merchant),
    queryEntries({ pk: partition('wine', { merchant }), ...changedSince(catalogue) }),
  ])
  const isAdded = entries.some(({ item }) => added.has(wineOf(item).articlenumber))
  if (isAdded) throw new TransactionRefused({ added: 'ConditionalCheckFailed' })
  // The wine that was written last stands under the catalogue's version.
  return { catalogue: entries.reduce((last, { index }) => Math.max(last, Number(index)), catalogue), shard }
}

/** Writes a batch; when others were first, on top of theirs. */
const writeBatch = async (
  merchant: MerchantId,
  batch: readonly WineWrite[],
  versions: Versions,
  added: ReadonlySet<string | null>,
): Promise<Versions> => {
  let seen: Versions | undefined
  return retrying(
    async () => {
      seen = seen ? await versionsNow(merchant, seen, added) : versions
      return writeWines(merchant, batch, seen)
    },
    error => error.contended || error.failed('shard') || error.failed('catalogue'),
  )
}

export type { Progress }

type Round = { state: CatalogueState; progress: Progress; written: () => void }

const applyOnce = async (
  merchant: MerchantId,
  rows: readonly ImportRow[],
  { state, progress, written }: Round,
): Promise<void> => {
  const plan = planWines(state, rows)
  const wanted = [...plan.additions, ...plan.changes.map(({ row }) => row)]
  const now = timestamp(Date.now())
  await ensureNamed(merchant, state.records, wanted, now)
  const place = { merchant, named: namedRecords(state.records), now, pick: slugPicker(state.wines) }
  const changes = changesOf(plan, place)
  const changed = new Set(changes.map(({ after }) => after.id))
  const writes = [
    ...changes,
    ...reembedded(state.wines, state.records.wineries, changed, now),
    ...(await additionsOf(plan.additions, place)),
  ]
  const added = new Set<string | null>(plan.additions.map(({ articlenumber }) => articlenumber))
  let { versions } = state
  let done = rows.length - wanted.length
  for (const batch of batchesOf(writes)) {
    progress(done, rows.length)
    versions = await writeBatch(merchant, batch, versions, added)
    written()
    done += batch.length
  }
  progress(rows.length, rows.length)
}

const fruitlessRounds = 40

/**
 * Brings a merchant's wines to what the rows say, in transactions of as many wines as fit. It may be stopped at any
 * time and run again: the article number tells what is there already. When others write the same catalogue meanwhile,
 * it reads anew and goes on; it gives up, with TransactionRefused, after many rounds in which it could write nothing.
 */
export const importWines = async (
  merchant: MerchantId,
  rows: readonly ImportRow[],
  progress: Progress = () => {},
): Promise<void> => {
  let fruitless = 0
  const written = () => {
    fruitless = 0
  }
  for (let state: CatalogueState | undefined; ; ) {
    state = await readCatalogue(merchant, state)
    try {
      return await applyOnce(merchant, rows, { state, progress, written })
    } catch (error) {
      if (!(error instanceof TransactionRefused) || ++fruitless === fruitlessRounds) throw error
      // Imports that got in each other's way must not do so in step.
      await setTimeout(Math.random() * 20 * fruitless)
    }
  }
}
