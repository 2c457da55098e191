import type { Context, DynamoDBStreamEvent } from 'aws-lambda'
import { handler as publishJob } from '../../functions/jobs/publish.ts'
import { handler as missedJob } from '../../functions/jobs/publishMissed.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { feedVersion } from '../../shared/catalogue/search/feed.ts'
import { publicText } from '../../shared/catalogue/wines/quota-use.ts'
import { isPublic, shardOf, shards, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { key, lastNumber, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { getItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { counted } from './partitions.ts'

/** Merchants of the tool's making, whose public wines lie in one partition. */
export const neighbours = async (count: number): Promise<MerchantId[]> => {
  const found: MerchantId[] = []
  const ids = key('sequence', { name: 'merchants' })
  while (found.length < count) {
    found.push(merchantIdOf((await createMerchant({ name: 'Schaukeller' })).id))
    await updateItem(ids, { add: { value: shards - 1 } })
  }
  return found
}

/** What the stream tells of changes in some partitions. */
export const told = (...partitions: string[]): DynamoDBStreamEvent => ({
  Records: partitions.map(pk => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'catalogue' } } } })),
})

/** Runs the job as the stream does when merchants changed something. */
export const runPublish = (...merchants: MerchantId[]): Promise<void> =>
  publishJob(told(...merchants.map(merchant => key('catalogue', { merchant }).pk)))

/** Runs the job that compares counters. */
export const runPublishMissed = (ms = 300_000): Promise<void> =>
  missedJob({}, { getRemainingTimeInMillis: () => ms } as Context)

/** Publishes what a merchant changed: on a table alone no stream starts the job. */
export const publish = async (merchant: MerchantId): Promise<void> => {
  while ((await publishNext(merchant)) === 'more');
}

/** How many changes of public records a partition has counted. */
export const changesIn = async (shard: number): Promise<number> =>
  (await getItem(key('publicVersion', { shard })))?.version ?? 0

/** The public record of a wine, if everybody sees one. */
export const publicDocOf = async (id: number): Promise<string | undefined> => {
  const item = await getItem(key('publicWine', { shard: shardOf(id), id }))
  return item && 'doc' in item ? item.doc : undefined
}

const allMerchants = async (): Promise<MerchantId[]> =>
  (await queryEntries({ pk: partition('directory', {}) })).map(({ sk }) => merchantIdOf(sk))

/** Everything public of some merchants, or of all, that does not follow from their wines; nothing once all is published. */
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
    unless(new Set(versions).size === versions.length, `partition ${shard}: a version stands twice`)
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
