import {
  type ClientRow,
  clientFormat,
  clientValues,
  exportClients,
  planClients,
  type RangeNames,
} from '../../../shared/clients/import.ts'
import { newClient } from '../../../shared/clients/new-client.ts'
import type { Client } from '../../../shared/clients/record.ts'
import { absent, equals } from '../../../shared/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { query } from '../../../shared/table/table.ts'
import { type Action, put, update } from '../../../shared/table/transact.ts'
import { freshIds } from './fresh-ids.ts'
import type { Kind } from './import-records.ts'
import { readPriceRanges } from './price-ranges.ts'

type State = { clients: Client[]; ranges: RangeNames }

const readState = async (merchant: MerchantId): Promise<State> => {
  const [clients, ranges] = await Promise.all([
    query({ pk: partition('client', { merchant }) }),
    readPriceRanges(merchant),
  ])
  return { clients, ranges: new Map(ranges.map(({ id, name }) => [id, name])) }
}

const titleOf = ({ number, company, first_name, last_name }: ClientRow | Client): string =>
  [number, company || [first_name, last_name].filter(Boolean).join(' ')].filter(Boolean).join(' ')

/** Clients as files bring them. */
export const clients: Kind<ClientRow, Client, State> = {
  name: 'clients',
  keyed: 'the number tells which client a row is',
  isWholeList: false,
  format: clientFormat,
  titleOf,
  read: readState,
  plan: (state, rows, lines) => planClients(state.clients, rows, state.ranges, lines),
  actions: async (merchant, { state, plan: { additions, changes }, wantedId }) => {
    const ids = freshIds(
      additions.map(wantedId),
      state.clients.map(({ id }) => id),
    )
    const added = ids.map((id, n): Action => {
      const values = clientValues(additions[n] as ClientRow, state.ranges)
      return put(`client ${id}`, key('client', { merchant, id }), newClient(merchant, id, values), { when: [absent] })
    })
    const changed = changes.map(({ record: { id, number }, row }): Action => {
      const set = clientValues(row, state.ranges)
      return update(`client ${id}`, key('client', { merchant, id }), { set }, [equals('number', number)])
    })
    return [...changed, ...added].map(action => [action])
  },
  exported: ({ clients: all, ranges }) => {
    const rows = exportClients(all, ranges)
    return { rows, unnamed: all.length - rows.length }
  },
}
