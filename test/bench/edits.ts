import type { WineRow } from '../../lib/tool/imports/wine-writes.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { ensureTable } from '../../lib/twin/dynamodb/process.ts'
import { publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { shardOf } from '../../shared/catalogue/wines/stored.ts'
import { key, lastNumber, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { documents, getItems, queryEntries } from '../../shared/platform/table/table.ts'
import { startTables } from '../support/table.ts'
import { printTable } from './median.ts'
import { metered } from './meter.ts'
import { startSlowTable } from './slow-table.ts'

// Measures the cost of an edit of a public wine, and the conflicts between merchants of one public partition: each
// edits its own wines, one after the other, at the same time as the others, on a table as slow as AWS's that refuses
// writes to items of a running transaction.

const merchants = 4
const edits = Number(process.env.EDITS ?? 60)
const letters = Number(process.env.LETTERS ?? 400)

const rows: WineRow[] = Array.from({ length: 10 }, (_, n) => ({
  ...{ name: `Wein ${n}`, articlenumber: String(n), type: 'red', countrycode: 'de', region: 1003, gross: '12.50' },
  ...{ taxrate: 19, active: 1, public: 1, shop: 1, description: 'Fass und Keller '.repeat(letters / 16) },
}))

const newMerchants = async (isMeant: (id: number) => boolean): Promise<MerchantId[]> => {
  const found: MerchantId[] = []
  while (found.length < merchants) {
    const id = merchantIdOf((await createMerchant({ name: 'Maß' })).id)
    if (isMeant(id)) found.push(id)
  }
  for (const merchant of found) await importWines(merchant, rows)
  return found
}

const winesOf = async (merchant: MerchantId): Promise<number[]> =>
  (await queryEntries({ pk: partition('wine', { merchant }) })).map(({ sk }) => lastNumber(sk))

let transactions = 0
documents.middlewareStack.add(
  (next, { commandName }) =>
    async args => {
      if (/^TransactWrite/.test(String(commandName))) transactions++
      return next(args)
    },
  { step: 'initialize', name: 'transactions' },
)

const tables = await startTables()
Object.assign(process.env, tables.environment, { TABLE_NAME: 'bench' })
await ensureTable(new URL(tables.environment.TEST_TABLE ?? ''), 'bench', tables.properties)
const slow = await startSlowTable(new URL(tables.environment.TEST_TABLE ?? ''), { read: 4, write: 12 })
process.env.AWS_ENDPOINT_URL_DYNAMODB = slow.url

const sameShard = await newMerchants(id => shardOf(id) === 3)
let next = 0
const ofEachShard = await newMerchants(id => shardOf(id) === next && ++next > 0)

const [alone] = sameShard
const [wine = 0] = alone ? await winesOf(alone) : []
for (const merchant of sameShard) while ((await publishNext(merchant)) === 'more');
const single = await metered(async () => alone && (await editWine(alone, wine, { sorting: 7 })))
const reading = await metered(async () => alone && getItems([key('wine', { merchant: alone, id: wine })]))

const published = await metered(async () => alone && publishNext(alone))

const table = [['', 'transactions an edit', 'ms an edit']]
for (const [name, some] of [
  ['one merchant', sameShard.slice(0, 1)],
  [`${merchants} merchants of ${merchants} partitions`, ofEachShard],
  [`${merchants} merchants of one partition`, sameShard],
] as const) {
  transactions = 0
  const began = performance.now()
  await Promise.all(
    some.map(async merchant => {
      const ids = await winesOf(merchant)
      for (let n = 0; n < edits; n++) await editWine(merchant, ids[n % ids.length] ?? 0, { sorting: n + 100 })
    }),
  )
  const ms = (performance.now() - began) / edits
  table.push([name, (transactions / (edits * some.length)).toFixed(2), ms.toFixed(1)])
}
process.stdout.write(
  `an edit of a public wine: ${single.units} units with what it read (the wine alone ${reading.units}); to publish it ${published.units} in ${published.requests} requests\n`,
)
printTable(table)
documents.destroy()
await slow.close()
await tables.close()
