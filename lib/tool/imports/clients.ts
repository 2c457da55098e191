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
import { key, type MerchantId } from '../../../shared/table/keys.ts'
import type { Action } from '../../../shared/table/transact.ts'
import { freshIds } from './fresh-ids.ts'
import type { Kind } from './import-records.ts'
import { readPriceRanges } from './price-ranges.ts'
import { readPlain } from './read-records.ts'

type State = { clients: Client[]; ranges: RangeNames }

const readState = async (merchant: MerchantId): Promise<State> => {
  const [clients, ranges] = await Promise.all([readPlain<Client>(merchant, 'client'), readPriceRanges(merchant)])
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
    const actionOf = (id: number) => ({ name: `client ${id}`, key: key('client', { merchant, id }) })
    const added = ids.map((id, n): Action => {
      const values = clientValues(additions[n] as ClientRow, state.ranges)
      return { ...actionOf(id), when: [absent], put: newClient(merchant, id, values) }
    })
    const changed = changes.map(({ record: { id, number }, row }): Action => {
      const set = clientValues(row, state.ranges)
      return { ...actionOf(id), when: [equals('number', number)], update: { set } }
    })
    return [...changed, ...added].map(action => [action])
  },
  exported: ({ clients: all, ranges }) => {
    const rows = exportClients(all, ranges)
    return { rows, unnamed: all.length - rows.length }
  },
}
