import { DatabaseSync } from 'node:sqlite'
import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import type { WineRow } from '../../lib/tool/imports/wine-writes.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { changeLimits } from '../../lib/tool/quotas.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import type { WineItem } from '../../shared/platform/table/items.ts'
import { type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { metered } from './meter.ts'

/** A merchant with as many wines, signed in. */
export type Shop = {
  size: number
  merchant: MerchantId
  token: string
  wines: Wine[]
  items: WineItem[]
}

/**
 * Adds an index that dynoxide lacks: each write searches for the newest of all stream records, and would cost more than
 * the one before. `file` is the database.
 */
export const quicken = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 30_000 })
  database.exec('CREATE INDEX IF NOT EXISTS newest ON _stream_records (table_name, CAST(sequence_number AS INTEGER))')
  database.close()
}

const demo = demoWinesOf('elbufer')

/** The demo's wines, repeated as needed with other numbers and names. */
const rowsOf = (size: number): WineRow[] =>
  Array.from({ length: size }, (_, n) => {
    const row = demo[n % demo.length] as WineRow
    const turn = Math.floor(n / demo.length)
    return turn === 0 ? row : { ...row, articlenumber: `${row.articlenumber}-${turn}`, name: `${row.name} ${turn}` }
  })

/** Creates a merchant and imports its wines; also returns the cost of the import. */
export const newShop = async (url: string, size: number) => {
  const account = await createMerchant({ name: `Messkellerei ${size}` })
  // The bench sends more requests than the default quota allows.
  await changeLimits(merchantIdOf(account.id), { requests: 1_000_000, sessions: 1_000_000_000 })
  const merchant = account.id as MerchantId
  const { token } = await issueToken(account, 'bench')
  const imported = await metered(() => importWines(merchant, rowsOf(size)))
  const login = await fetch(`${url}/service/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, authid: account.authid }),
  })
  const items = await query({ pk: partition('wine', { merchant }) })
  const session = ((await login.json()) as { token: string }).token
  const shop: Shop = { size, merchant, token: session, items, wines: items.map(wineOf) }
  return { shop, imported }
}
