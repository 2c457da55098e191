import { createHash } from 'node:crypto'
import { formToken } from '../../shared/merchants/tokens.ts'
import { absent } from '../../shared/table/expressions.ts'
import { key, type MerchantId, partition } from '../../shared/table/keys.ts'
import { ConditionFailed, putItem, query } from '../../shared/table/table.ts'
import { importWines, readCatalogue } from '../admin/import-wines.ts'
import { type Account, createMerchant, issueToken, listMerchants } from '../admin/merchants.ts'
import { progressBar } from '../admin/progress.ts'
import { type DemoMerchant, demoMerchants, demoWinesOf } from './cellar.ts'
import { demoClientsOf } from './clients.ts'
import { grapeNames } from './grapes.ts'

/** A demo merchant's credentials. They are in the README and exist on the twin only. */
export type DemoCredentials = { name: string; authid: string; token: string }

const digest = (text: string): Buffer => createHash('sha256').update(`weinkontor demo ${text}`).digest()

const credentialsOf = (demo: DemoMerchant): DemoCredentials & { secret: Buffer } => {
  const secret = digest(`token ${demo}`)
  const token = formToken('wka', secret.toString('hex').slice(0, 12), secret)
  return { name: demoMerchants[demo], authid: `wk-demo-${demo}`, token, secret }
}

/** The demo merchants, in the order they are created. */
export const demos = Object.keys(demoMerchants) as DemoMerchant[]

/** The fixed credentials of all demo merchants. */
export const demoCredentials = (): DemoCredentials[] =>
  demos.map(credentialsOf).map(({ secret, ...credentials }) => credentials)

const accountOf = async (demo: DemoMerchant, present: readonly Account[]): Promise<Account> => {
  const { name, authid, secret } = credentialsOf(demo)
  const account = present.find(one => one.authid === authid) ?? (await createMerchant({ name, authid }))
  if (account.issued === 0) await issueToken(account, 'demo', secret)
  return account
}

const addGrapes = async (merchant: MerchantId): Promise<void> => {
  const present = await query({ pk: partition('grape', { merchant }) })
  if (present.length > 0) return
  const names = [...grapeNames()]
  await Promise.all(names.map(([id, name]) => putItem(key('grape', { merchant, id }), { name })))
}

const addClients = async (merchant: MerchantId, demo: DemoMerchant): Promise<void> => {
  const { records } = await readCatalogue(merchant)
  for (const [n, { priceRange, ...fields }] of demoClientsOf(demo).entries()) {
    const price_range_id = records.priceRanges.find(({ name }) => name === priceRange)?.id ?? null
    const own = {
      id: n + 1,
      customers_id: merchant,
      price_range_id,
      delivery_address_id: null,
      image: null,
      username: null,
      deleted: 0,
    }
    await putItem(key('client', { merchant, id: n + 1 }), { ...fields, ...own }, [absent]).catch(error => {
      if (!(error instanceof ConditionFailed)) throw error
    })
  }
}

/** Brings the demo merchants, their wines and their clients in; what is there already stays as it is. */
export const setUpDemo = async (): Promise<void> => {
  const present = await listMerchants()
  for (const demo of demos) {
    const account = await accountOf(demo, present)
    const merchant = account.id as MerchantId
    const rows = demoWinesOf(demo)
    const { wines } = await readCatalogue(merchant)
    if (wines.length < rows.length) {
      const bar = progressBar(`wines of ${account.name}`)
      await importWines(merchant, rows, bar.update)
      bar.stop(`${rows.length} wines of ${account.name}`)
    }
    await addGrapes(merchant)
    await addClients(merchant, demo)
  }
}
