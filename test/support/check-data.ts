import { resolve } from 'node:path'
import { connect } from '../../lib/tool/connect.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { type Initial, violations } from './invariants.ts'

// Run as a process of its own, because a process stays with the table that it spoke to first:
// node test/support/check-data.ts DATA_DIR MERCHANT '{"wine#12":100}'
const [dataDir = '', merchant = '', initial = '{}'] = process.argv.slice(2)
await connect({ dataDir: resolve(dataDir) })
console.log(JSON.stringify(await violations(merchantIdOf(merchant), JSON.parse(initial) as Initial)))
