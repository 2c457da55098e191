import { readPriceRanges } from '../../../shared/catalogue/price-ranges.ts'
import { readRecordsVersion } from '../../../shared/catalogue/versions.ts'
import { countOnAfter, hasMail } from '../../../shared/clients/store.ts'
import { type Client, clientFields, completeClient } from '../../../shared/contract/records/client.ts'
import type { PriceRange } from '../../../shared/contract/records/price-range.ts'
import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/schema/fields.ts'
import { giveBack, reserve } from '../../../shared/merchants/reservations.ts'
import { absent, equals } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { check, put, update } from '../../../shared/platform/table/transact.ts'
import { holdersAfter, type MailHolders, mailActions, readMailHolders } from './client-mails.ts'
import { idsByName } from './goods.ts'
import { numberOrId, withFreshIds } from './new-records.ts'
import { namedAlone, planRows, type Refuse } from './plan.ts'
import { formatOf, missing } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

/**
 * A row of a client file. A missing column leaves the client's value unchanged, null clears it. The price range is given
 * by name.
 */
export type ClientRow = RowOf<typeof clientFields, never>

type ClientState = { version: number; clients: Client[]; ranges: PriceRange[]; holders: MailHolders }

const readState = async (merchant: MerchantId): Promise<ClientState> => {
  const version = await readRecordsVersion(merchant, 'clients')
  const [items, ranges, holders] = await Promise.all([
    query({ pk: partition('client', { merchant }) }),
    readPriceRanges(merchant),
    readMailHolders(merchant),
  ])
  return { version, clients: items.map(completeClient), ranges, holders }
}

const titleOf = ({ number, company, first_name, last_name }: ClientRow | Client): string =>
  [number, company || [first_name, last_name].filter(Boolean).join(' ')].filter(Boolean).join(' ')

const own = storedColumns(clientFields)

const rowOf = (client: Client, ranges: readonly PriceRange[]): ClientRow => ({
  ...pick(client, own),
  price_range: ranges.find(({ id }) => id === client.price_range_id)?.name ?? null,
})

const checkRow = (
  { last_name, company, price_range }: ClientRow,
  ranges: readonly PriceRange[],
  refuse: Refuse,
): void => {
  if (!last_name && !company) refuse('last_name', 'named', 'given, or company')
  const names = ranges.map(({ name }) => name)
  if (price_range && !names.includes(price_range)) {
    refuse('price_range', 'one_of', names.length > 0 ? names.join(', ') : 'empty, for there are no price ranges')
  }
}

/** The fields of a client's record that a row gives. */
export const clientValues = (
  { id, price_range, ...row }: ClientRow,
  rangeIds: ReadonlyMap<string, number>,
): Partial<Client> => ({
  ...givenOnly(row),
  ...(price_range !== undefined && { price_range_id: rangeIds.get(price_range ?? '') ?? null }),
})

/**
 * Reserves the quota for added clients, and moves the counter of client numbers past theirs, before the transactions, which
 * write added clients first. Throws quota_exceeded before the first transaction.
 */
async function* reservingClients(
  merchant: MerchantId,
  added: readonly ClientRow[],
  transactions: AsyncIterable<number>,
): AsyncGenerator<number> {
  await reserve(merchant, { clients: added.length })
  let left = added.length
  try {
    await countOnAfter(
      merchant,
      added.map(({ number = null }) => ({ number })),
    )
    for await (const written of transactions) {
      left = Math.max(0, left - written)
      yield written
    }
  } finally {
    giveBack(merchant, { clients: left })
  }
}

/** Clients in files. */
export const clients: Kind<ClientRow, Client, ClientState> = {
  name: 'clients',
  keyed: 'the number identifies the client of a row, the id one without a number',
  format: formatOf(clientFields, [], {
    check: ({ id, number }, report) => {
      if (id === undefined && !number) report('number', missing)
    },
  }),
  titleOf,
  read: readState,
  plan: (state, rows, lines) =>
    planRows(
      state.clients,
      rows,
      {
        column: 'number',
        keyOf: numberOrId('number', state.clients),
        single: 'that of a single client',
        rowOf: client => rowOf(client, state.ranges),
        check: (whole, refuse) => checkRow(whole, state.ranges, refuse),
      },
      lines,
    ),
  writes: (merchant, { state, plan: { additions, changes } }) => {
    const { version, clients: present, ranges, holders } = state
    const rangeIds = idsByName(ranges)
    const taken = present.map(({ id }) => id)
    // Clients may change their mail concurrently, and with it the owner of a mail.
    const changed = changes.map(({ record: { id, number, mail }, row }) => {
      const set = clientValues(row, rangeIds)
      const asRead = [...(number === null ? [] : [equals('number', number)]), hasMail(mail)]
      return { id, set, action: update(`client ${id}`, key('client', { merchant, id }), { set }, asRead) }
    })
    const added = withFreshIds(additions, taken).map(({ id, row }) => {
      const record = completeClient({ ...clientValues(row, rangeIds), id, customers_id: merchant })
      return { id, record, action: put(`client ${id}`, key('client', { merchant, id }), record, { when: [absent] }) }
    })
    const sets = new Map(changed.map(({ id, set }) => [id, set]))
    const after = [
      ...present.map(client => ({ ...client, ...sets.get(client.id) })),
      ...added.map(({ record }) => record),
    ]
    const mails = mailActions(merchant, holders, holdersAfter(holders, after))
    const written = new Set([...added, ...changed].map(({ id }) => id))
    const mailOf = new Map(present.map(({ id, mail }) => [id, mail]))
    const checkUnchanged = (id: number) =>
      check(`client ${id}`, key('client', { merchant, id }), [hasMail(mailOf.get(id) ?? null)])
    // Added clients first, so that the number of unwritten clients is known after a conflict. Last, clients that only get
    // their mail, because its owner no longer has it.
    const groups = [
      ...[...added, ...changed].map(({ id, action }) => [action, ...(mails.get(id) ?? [])]),
      ...[...mails].flatMap(([id, actions]) => (written.has(id) ? [] : [[checkUnchanged(id), ...actions]])),
    ]
    return reservingClients(merchant, additions, inVersions(merchant, 'clients', version, groups))
  },
  exportRows: ({ clients: all, ranges }) => {
    const rows = namedAlone(all, numberOrId('number', all)).map(client => rowOf(client, ranges))
    return { rows, leftOut: all.length - rows.length }
  },
}
