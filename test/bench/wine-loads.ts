import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DeleteObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { TwinConnection } from '../../lib/twin/twin-file.ts'
import { type LoadedIndex, refresh } from '../../shared/catalogue/search/refresh.ts'
import { merchantScope } from '../../shared/catalogue/search/scopes.ts'
import { keyOf, loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { renewSnapshot } from '../../shared/catalogue/search/snapshot-writer.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { median, printTable } from './median.ts'
import { type Cost, metered } from './meter.ts'
import type { Shop } from './wine-shops.ts'

type Counts = Record<string, Record<string, number>>

const load = async (merchant: MerchantId): Promise<LoadedIndex> => {
  const scope = merchantScope(merchant)
  const loaded = await loadSnapshot(scope)
  await refresh(scope, loaded)
  return loaded
}

/** Prints what a new instance reads before its first search, with and without a snapshot. */
export const measureColdStarts = async (
  shops: readonly Shop[],
  { bucket, requests }: TwinConnection,
  rounds: number,
): Promise<void> => {
  const files = new S3Client({})
  const gets = async () => {
    const counts = (await (await fetch(requests)).json()) as Counts
    return counts.OPERATOR?.['s3:GetObject'] ?? 0
  }
  const heads = ['', 'wines', 'S3 requests', 'table requests', 'S3 KB', 'table KB', 'read units', 'ms', 'CPU ms']
  const table = [heads]
  for (const { merchant, size } of shops) {
    const object = { Bucket: bucket, Key: keyOf({ name: `merchant-${merchant}` }) }
    for (const way of ['without snapshot', 'with snapshot']) {
      await files.send(new DeleteObjectCommand(object))
      const isWritten = way === 'with snapshot' && (await renewSnapshot(merchantScope(merchant)))
      const { ContentLength = 0 } = isWritten ? await files.send(new HeadObjectCommand(object)) : { ContentLength: 0 }
      const before = await gets()
      const runs: Cost[] = []
      for (let n = 0; n < rounds; n++) runs.push(await metered(() => load(merchant)))
      const of = (what: keyof Cost) => median(runs.map(run => run[what]))
      const read = [ContentLength, of('bytes')].map(bytes => (bytes / 1024).toFixed(0))
      const costs = [of('units'), of('ms'), of('cpu')].map(cost => cost.toFixed(0))
      table.push([
        way,
        String(size),
        String(((await gets()) - before) / rounds),
        String(of('requests')),
        ...read,
        ...costs,
      ])
    }
  }
  printTable(table)
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const used = async (): Promise<number> => {
  for (let n = 0; n < 3; n++) {
    collect()
    await new Promise(done => setTimeout(done, 50))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Prints the memory of an index. */
export const measureMemory = async (shops: readonly Shop[]): Promise<void> => {
  const table = [['wines', 'bytes a wine', 'after a search in another order', 'by its own estimate']]
  for (const { merchant, size } of shops) {
    const before = await used()
    const { index } = await load(merchant)
    const loaded = await used()
    const order = [{ field: 'name', descending: false } as const]
    index.search({ query: { anywhere: 'riesling' }, order, start: 0, max: 16 })
    const sorted = await used()
    const bytes = [loaded - before, sorted - before, index.bytes]
    table.push([String(size), ...bytes.map(all => (all / size).toFixed(0))])
  }
  printTable(table)
}
