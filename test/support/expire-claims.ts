import { resolve } from 'node:path'
import { connect } from '../../lib/tool/connect.ts'
import { key, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { query, updateItem } from '../../shared/platform/table/table.ts'

// Run as a process of its own, as check-data.ts: lets the minute be over for which a payment is claimed. Nobody may be
// at work. node test/support/expire-claims.ts DATA_DIR MERCHANT
const [dataDir = '', id = ''] = process.argv.slice(2)
await connect({ dataDir: resolve(dataDir) })
const merchant = merchantIdOf(id)
for (const { uuid, status } of await query({ pk: partition('payment', { merchant }) })) {
  if (status === 'capturing') await updateItem(key('payment', { merchant, uuid }), { set: { lease: 0 } })
}
