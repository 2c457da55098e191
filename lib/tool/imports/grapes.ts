import { exportGrapes, grapeFormat, planGrapes } from '../../../shared/grapes/import.ts'
import type { Grape } from '../../../shared/grapes/record.ts'
import { key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { query } from '../../../shared/table/table.ts'
import type { Kind } from './import-records.ts'

const readGrapes = async (merchant: MerchantId): Promise<Grape[]> => {
  const items = await query<{ name: string }>({ pk: partition('grape', { merchant }) })
  return items.map(({ sk, name }) => ({ id: Number(sk), name }))
}

/** Grapes as files bring them. */
export const grapes: Kind<Grape, Grape, Grape[]> = {
  name: 'grapes',
  keyed: 'a grape is known by the id that wines use',
  isWholeList: false,
  format: grapeFormat,
  titleOf: ({ id, name }) => `${id} ${name}`,
  read: readGrapes,
  plan: planGrapes,
  actions: async (merchant, { plan: { additions, changes } }) =>
    [...additions, ...changes.map(({ row }) => row)].map(({ id, name }) => [
      { name: `grape ${id}`, key: key('grape', { merchant, id }), put: { name } },
    ]),
  exported: state => ({ rows: exportGrapes(state), unnamed: 0 }),
}
