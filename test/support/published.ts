import type { Context, DynamoDBStreamEvent } from 'aws-lambda'
import { handler as publishJob } from '../../functions/jobs/publish.ts'
import { handler as missedJob } from '../../functions/jobs/publishMissed.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { feedVersion } from '../../shared/catalogue/search/feed.ts'
import { addWine } from '../../shared/catalogue/wines/edit.ts'
import { publicText } from '../../shared/catalogue/wines/quota-use.ts'
import { isPublic, shardOf, shards, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { key, lastNumber, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { getItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { counted } from './partitions.ts'

export const newMerchant = async (): Promise<MerchantId> =>
  merchantIdOf((await createMerchant({ name: 'Schaukeller' })).id)

/** Merchants whose public wines are in one partition. */
export const neighbours = async <const Count extends number>(count: Count): Promise<Neighbours<Count>> => {
  const found: MerchantId[] = []
  while (found.length < count) {
    found.push(await newMerchant())
    await updateItem(key('sequence', { name: 'merchants' }), { add: { value: shards - 1 } })
  }
  return found as Neighbours<Count>
}

type Neighbours<Count extends number> = Count extends 1 | 2 | 3 | 4 | 5
  ? [MerchantId, MerchantId, ...MerchantId[]]
  : MerchantId[]

let named = 0
/** The required fields of a wine with a unique name. */
export const least = () => ({ name: `Wein ${++named}`, type: 'red', countrycode: 'de', region: 1005 }) as const
export const addPublic = (merchant: MerchantId, data: object = {}) =>
  addWine(merchant, 1, { ...least(), public: 1, ...data })
/** Rows of public wines for an import. */
export const rowsOf = (count: number, more: Partial<WineRow> = {}): WineRow[] =>
  counted(count).map(n => ({ ...least(), articlenumber: `${n}`, public: 1, ...more }))

export const backlogOf = (merchant: MerchantId) => getItem(key('backlog', { merchant }))
export const publicationOf = (merchant: MerchantId) => getItem(key('publication', { merchant }))

/** The stream's event for changes in some partitions. */
export const streamEvent = (...partitions: string[]): DynamoDBStreamEvent => ({
  Records: partitions.map(pk => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'catalogue' } } } })),
})

/** Runs the job as the stream does after changes of merchants. */
export const runPublish = (...merchants: MerchantId[]): Promise<void> =>
  publishJob(streamEvent(...merchants.map(merchant => key('catalogue', { merchant }).pk)))

/** Runs the job that compares counters. */
export const runPublishMissed = (ms = 300_000): Promise<void> =>
  missedJob({}, { getRemainingTimeInMillis: () => ms } as Context)

/** Publishes a merchant's changes: no stream starts the job on a table alone. */
export const publish = async (merchant: MerchantId): Promise<void> => {
  while ((await publishNext(merchant)) === 'more');
}

/** The number of changes of public records in a partition. */
export const changesIn = async (shard: number): Promise<number> =>
  (await getItem(key('publicVersion', { shard })))?.version ?? 0

/** The public record of a wine, undefined if it has none. */
export const publicDocOf = async (id: number): Promise<string | undefined> => {
  const item = await getItem(key('publicWine', { shard: shardOf(id), id }))
  return item && 'doc' in item ? item.doc : undefined
}

const allMerchants = async (): Promise<MerchantId[]> =>
  (await queryEntries({ pk: partition('directory', {}) })).map(({ sk }) => merchantIdOf(sk))

/** Differences between the wines of some merchants, or of all, and their public items; none once all is published. */
export const publicProblems = async (some?: readonly MerchantId[]): Promise<string[]> => {
  const merchants = some ?? (await allMerchants())
  const wines = (
    await Promise.all(merchants.map(merchant => queryEntries({ pk: partition('wine', { merchant }) })))
  ).flatMap(entries => entries.map(({ item }) => wineOf(item)))
  const own = new Set(wines.map(({ id }) => id))
  const shown = wines.filter(isPublic)
  const problems: string[] = []
  const unless = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem)
  }
  const isOfOthers = (id: number) => some !== undefined && !own.has(id)
  const expected = new Map(shown.map(wine => [wine.id, publicText(wine)]))
  const partitions = new Set(some ? some.map(shardOf) : counted(shards).map(n => n - 1))
  for (const shard of partitions) {
    const entries = await queryEntries({ pk: partition('publicWine', { shard }), indexed: true })
    const versions = entries.map(feedVersion)
    unless(new Set(versions).size === versions.length, `partition ${shard}: a version occurs twice`)
    unless((versions.at(-1) ?? 0) <= (await changesIn(shard)), `partition ${shard}: a version above the counter`)
    for (const { sk, item } of entries) {
      const id = lastNumber(sk)
      if (isOfOthers(id)) continue
      const doc = 'doc' in item ? item.doc : undefined
      unless(doc === expected.get(id), `wine ${id} of ${doc?.length} letters, not ${expected.get(id)?.length}`)
      unless(shardOf(id) === shard, `wine ${id}: in partition ${shard}`)
      expected.delete(id)
    }
  }
  for (const id of expected.keys()) problems.push(`wine ${id} is not shown`)
  const slugs = (await queryEntries({ pk: partition('publicSlug', {}) })).map(({ sk }) => sk)
  const wanted = shown.map(({ id, path_segment }) => key('publicSlug', { slug: path_segment, id }).sk).sort()
  const found = slugs.filter(sk => !isOfOthers(lastNumber(sk))).sort()
  unless(JSON.stringify(found) === JSON.stringify(wanted), `path_segments: ${found} instead of ${wanted}`)
  for (const { id, hash } of shown) {
    const pointer = await getItem(key('publicHash', { hash }))
    unless(pointer?.id === id, `wine ${id} is not found by its hash`)
  }
  return problems
}
