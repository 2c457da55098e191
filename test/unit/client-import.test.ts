import fc from 'fast-check'
import { type ClientRow, clientValues, clients as kind } from '../../lib/tool/imports/clients.ts'
import { idsByName } from '../../lib/tool/imports/goods.ts'
import { type Client, completeClient } from '../../shared/contract/records/client.ts'
import { clientTypes, paymentTypes } from '../../shared/contract/vocabulary.ts'
import { nothing, someFlag, someLines, someText, throughCsv, throughJson } from '../support/record-files.ts'

const ranges = [
  { id: 1, name: 'Gastronomie' },
  { id: 2, name: 'Groß | Handel' },
]
const { format } = kind
const stateOf = (clients: readonly Client[]) => ({
  version: 0,
  clients: [...clients],
  ranges,
  holders: new Map<string, number>(),
})
const planClients = (clients: readonly Client[], rows: readonly ClientRow[]) => kind.plan(stateOf(clients), rows)
const exportClients = (clients: readonly Client[]) => kind.exportRows(stateOf(clients)).rows
const clientWith = (fields: Partial<Client>): Client =>
  completeClient({ number: 'K-1', last_name: 'Weiß', ...fields, id: fields.id ?? 1, customers_id: 7 })

const optional = fc.option(someText)
const fields = fc.record<Partial<Client>>({
  type: fc.constantFrom(...clientTypes),
  company: optional,
  first_name: optional,
  last_name: optional,
  gender: fc.option(fc.constantFrom('m', 'f', 'd', 'fam')),
  title: optional,
  address: optional,
  countrycode: fc.option(fc.constantFrom('de', 'at')),
  mail: fc.option(fc.emailAddress()),
  invoice_type: fc.option(fc.constantFrom('net', 'gross')),
  payment_type: fc.option(fc.constantFrom(...paymentTypes)),
  payment_period: fc.option(fc.nat(365)),
  rebate: fc.option(fc.nat(100)),
  cashback: fc.option(fc.nat(100)),
  invoice_remark: someLines,
  tax_free: someFlag,
  active: someFlag,
  deleted: someFlag,
  price_range_id: fc.constantFrom(null, 1, 2, 404),
})
const arbitraryClients = fc
  .tuple(fc.uniqueArray(someText, { maxLength: 5 }), fc.array(fields, { minLength: 5, maxLength: 5 }))
  .map(([numbers, parts]) => numbers.map((number, n) => clientWith({ ...parts[n], id: n + 1, number })))

const csvRow = (cells: Record<string, string>) => format.parseRow({ number: 'K-1', ...cells }, 3)

describe('an export of clients', () => {
  test('imported again changes nothing, as CSV and as JSON', () => {
    fc.assert(
      fc.property(arbitraryClients, clients => {
        const rows = exportClients(clients)
        for (const read of [rows, throughCsv(format, rows), throughJson(format, rows)]) {
          expect(planClients(clients, read)).toEqual(nothing(clients.length))
        }
      }),
      { numRuns: 50 },
    )
  })

  test('creates equal clients for a merchant without clients', () => {
    fc.assert(
      fc.property(arbitraryClients, clients => {
        const rows = throughCsv(format, exportClients(clients))
        const made = rows.map((row, n) =>
          completeClient({ ...clientValues(row, idsByName(ranges)), id: n + 1, customers_id: 7 }),
        )
        const known = ({ price_range_id: id }: Client) => (ranges.some(range => range.id === id) ? id : null)
        expect(made).toEqual(clients.map(client => ({ ...client, price_range_id: known(client) })))
      }),
      { numRuns: 50 },
    )
  })

  test('names clients without a number by their ids, and leaves out those that share one', () => {
    const clients = [clientWith({ number: null }), clientWith({ id: 2 }), clientWith({ id: 3 })]
    const { rows, leftOut } = kind.exportRows(stateOf(clients))
    expect([rows.map(({ id, number }) => [id, number]), leftOut]).toEqual([[[1, null]], 2])
    expect(planClients(clients, rows)).toEqual(nothing(1))
  })

  test('has a column for every key', () => {
    const [row] = exportClients([clientWith({})])
    expect(Object.keys(row as ClientRow).toSorted()).toEqual(format.columns.map(({ name }) => name).toSorted())
  })
})

describe('a row of a client', () => {
  test('is read into wire types; an empty cell unsets nullable fields and leaves the others unchanged', () => {
    const cells = {
      rebate: '5',
      tax_free: '1',
      mail: ' Anna.Huber@Example.ORG ',
      price_range: 'Gastronomie',
      cashback: '',
      type: '',
      active: '',
    }
    expect(csvRow(cells).row).toEqual({
      number: 'K-1',
      rebate: 5,
      tax_free: 1,
      mail: 'Anna.Huber@Example.ORG',
      price_range: 'Gastronomie',
      cashback: null,
    })
  })

  test.each([
    [{ number: ' ' }, 'number', 'required', 'given'],
    [{ type: 'friend' }, 'type', 'one_of', clientTypes.join(', ')],
    [{ gender: 'x' }, 'gender', 'one_of', 'm, f, d, fam'],
    [{ countrycode: 'XX' }, 'countrycode', 'country_code', 'the code of a country in two letters'],
    [{ tax_free: 'ja' }, 'tax_free', 'flag', '0 or 1'],
    [{ rebate: '101' }, 'rebate', 'max_value', '100'],
    [{ cashback: '2.5' }, 'cashback', 'whole_number', 'a whole number of 0 or more'],
    [{ payment_period: '366' }, 'payment_period', 'max_value', '365'],
    [{ mail: 'anna.huber' }, 'mail', 'mail', 'a mail address such as name@example.org'],
  ])('is refused for %j', (cells, column, rule, expected) => {
    expect(csvRow(cells)).toEqual({ row: null, problems: [{ line: 3, column, rule, expected }] })
  })

  test('names its price range, and not the id of it', () => {
    const { problems } = format.parseJsonRow({ number: 'K-1', id: 3, price_range_id: 1 }, 2)
    expect(problems.map(({ column, rule }) => [column, rule])).toEqual([['price_range_id', 'unknown_column']])
  })

  test('of a client with a number may name it by its id alone, and changes neither', () => {
    const plan = planClients(
      [clientWith({ id: 5 })],
      [
        { id: 5, rebate: 3 },
        { id: 6, number: 'K-1', rebate: 3 },
      ],
    )
    expect(plan.changes).toMatchObject([{ record: { id: 5, number: 'K-1' }, fields: [{ name: 'rebate' }] }])
    expect(plan.refusals).toMatchObject([{ line: 2, rule: 'duplicate' }])
  })
})

describe('a plan of clients', () => {
  const client = clientWith({ price_range_id: 1, rebate: 5 })

  test('adds unknown numbers and names the fields of known clients that change', () => {
    const added = { number: 'K-2', company: 'Gasthaus' }
    const changed = { number: 'K-1', price_range: null, rebate: 5, company: 'Weiß GmbH' }
    expect(planClients([client], [added, changed])).toEqual({
      ...nothing(0),
      additions: [added],
      changes: [
        {
          record: client,
          row: changed,
          fields: [
            { name: 'price_range', from: 'Gastronomie', to: null },
            { name: 'company', from: null, to: 'Weiß GmbH' },
          ],
        },
      ],
    })
    expect(clientValues(changed, idsByName(ranges))).toEqual({
      number: 'K-1',
      rebate: 5,
      company: 'Weiß GmbH',
      price_range_id: null,
    })
  })

  test.each<[string, ClientRow[], object]>([
    ['an unknown price range', [{ number: 'K-1', price_range: 'Freunde' }], { column: 'price_range', rule: 'one_of' }],
    ['a new client without a name', [{ number: 'K-2', first_name: 'Anna' }], { column: 'last_name', rule: 'named' }],
    ['a removed name', [{ number: 'K-1', last_name: null }], { column: 'last_name', rule: 'named' }],
    [
      'a number given twice',
      [{ number: 'K-1' }, { number: 'K-1' }],
      { line: 2, column: 'number', rule: 'duplicate', expected: 'given once, and is on line 1 already' },
    ],
  ])('refuses %s', (_, rows, refusal) => {
    const { refusals, additions, changes } = planClients([client], rows)
    expect(refusals).toEqual([expect.objectContaining(refusal)])
    expect([additions, changes]).toEqual([[], []])
  })

  test('refuses a number that two clients share', () => {
    const { refusals } = planClients([client, clientWith({ id: 2 })], [{ number: 'K-1', rebate: 9 }])
    expect(refusals).toEqual([{ line: 1, column: 'number', rule: 'ambiguous', expected: 'that of a single client' }])
  })
})
