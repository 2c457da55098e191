import { exportGrapes, grapeFormat, planGrapes } from '../../../shared/grapes/import.ts'
import type { Grape } from '../../../shared/grapes/record.ts'
import { key, lastNumber, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { queryEntries } from '../../../shared/table/table.ts'
import { put } from '../../../shared/table/transact.ts'
import type { Kind } from './import-records.ts'

const readGrapes = async (merchant: MerchantId): Promise<Grape[]> => {
  const entries = await queryEntries({ pk: partition('grape', { merchant }) })
  return entries.map(({ sk, item }) => ({ id: lastNumber(sk), name: item.name }))
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
      put(`grape ${id}`, key('grape', { merchant, id }), { name }),
    ]),
  exported: state => ({ rows: exportGrapes(state), unnamed: 0 }),
}
