import type { Address } from '../../shared/contract/records/address.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import type { NewOrder } from '../../shared/contract/routes/orders.ts'
import {
  billingReference,
  checkOneClient,
  checkTyped,
  deliveryReference,
  guestMail,
  inlineParties,
  missingParty,
  type Party,
  type PartyContext,
  partyActions,
  partyKeys,
} from '../../shared/orders/placing/billing-delivery.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'

const merchant = 7 as MerchantId
const order = (data: object) => data as NewOrder
const client: Party = {
  type: 'client',
  id: 3,
  record: completeClient({
    id: 3,
    number: 'K3',
    customers_id: merchant,
    title: 'Dr.',
    first_name: 'Anna',
    last_name: 'Groß',
    company: 'Groß & Co',
    city: 'Köln',
  }),
}
const address: Party = {
  type: 'address',
  id: 5,
  record: {
    id: 5,
    title: 'Prof.',
    name: 'Hans Klein',
    first_name: 'Hans',
    last_name: null,
    company: null,
    city: 'Bonn',
  } as Address,
}

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('the party that an order names', () => {
  test.each([
    [{}, null],
    [{ billing_id: 3 }, { type: 'client', id: 3 }],
    [
      { billing_id: 5, billing_type: 'address' },
      { type: 'address', id: 5 },
    ],
    [{ billing_type: 'address' }, null],
  ])('%j is billed to %j', (data, expected) => {
    expect(billingReference(order(data))).toEqual(expected)
  })

  test.each([
    [{}, null],
    [{ billing_id: 3 }, { type: 'client', id: 3 }],
    [
      { billing_id: 5, billing_type: 'address' },
      { type: 'address', id: 5 },
    ],
    [
      { billing_id: 5, delivery_type: 'address' },
      { type: 'address', id: 5 },
    ],
    [
      { billing_id: 5, billing_type: 'address', delivery_type: 'client' },
      { type: 'client', id: 5 },
    ],
    [{ delivery_type: 'address' }, null],
    [{ billing_id: 3, delivery_type: 'none' }, null],
    [{ billing_id: 3, delivery_type: 'none', delivery_id: 5 }, null],
    [
      { billing_id: 3, delivery_id: 5 },
      { type: 'client', id: 5 },
    ],
    [
      { billing_id: 3, delivery_id: 5, delivery_type: 'address' },
      { type: 'address', id: 5 },
    ],
    [{ billing_id: 3, delivery: {} }, null],
    [
      { billing_id: 3, delivery: {}, delivery_id: 5, delivery_type: 'address' },
      { type: 'address', id: 5 },
    ],
  ])('%j is delivered to %j', (data, expected) => {
    expect(deliveryReference(order(data))).toEqual(expected)
  })

  test('has one key', () => {
    expect(partyKeys(merchant, null)).toEqual({ clients: [], addresses: [] })
    const clients = [key('client', { merchant, id: 3 })]
    expect(partyKeys(merchant, { type: 'client', id: 3 })).toEqual({ clients, addresses: [] })
    const addresses = [key('address', { merchant, id: 5 })]
    expect(partyKeys(merchant, { type: 'address', id: 5 })).toEqual({ clients: [], addresses })
  })

  test.each([
    ['client', 'a client'],
    ['address', 'an address'],
  ] as const)('is refused if the %s does not exist', (type, expected) => {
    expect(missingParty('data.x', type)).toMatchObject({
      word: 'reference_not_found',
      message: `\`data.x\` must be the id of ${expected} of this merchant.`,
      fields: [{ path: 'data.x', rule: 'reference', expected: `the id of ${expected} of this merchant` }],
    })
  })

  test.each([
    [{ billing: { mail: 'a@example.org' } }, 'a@example.org'],
    [{ billing: { mail: null } }, null],
    [{ billing: {} }, null],
    [{}, null],
    [{ billing: { mail: 'a@example.org' }, billing_id: 3 }, null],
    [{ billing: { mail: 'a@example.org' }, client_id: 3 }, null],
    [{ billing: { mail: 'a@example.org' }, billing_type: 'address' }, null],
    [{ billing: { mail: 'a@example.org' }, billing_type: 'client' }, 'a@example.org'],
  ])('%j: the mail of a guest is %p', (data, mail) => {
    expect(guestMail(order(data))).toBe(mail)
  })

  test('must be one client', () => {
    const conflict = {
      word: 'identifier_conflict',
      message: '`data.client_id` must be the client of data.billing_id.',
      fields: [{ path: 'data.client_id', rule: 'identifier_conflict', expected: 'the client of data.billing_id' }],
    }
    expect(thrownBy(() => checkOneClient(order({ billing_id: 3, client_id: 4 })))).toMatchObject(conflict)
    expect(
      thrownBy(() => checkOneClient(order({ billing_type: 'client', billing_id: 3, client_id: 4 }))),
    ).toMatchObject(conflict)
    for (const data of [
      { billing_id: 3, client_id: 3 },
      { billing_id: 3 },
      { client_id: 4 },
      { billing_type: 'address', billing_id: 3, client_id: 4 },
    ])
      expect(checkOneClient(order(data))).toBeUndefined()
  })
})

describe('an address that is typed next to the id of a record', () => {
  test.each([
    [undefined, client],
    [null, client],
    [{}, client],
    [{ name: 'Anna Groß', city: 'Köln', title: null }, client],
    [{ name: 'Groß', first_name: 'Anna' }, client],
    [{ name: 'Anna' }, { ...client, record: { ...client.record, last_name: null } }],
    [{ name: 'Hans Klein', first_name: 'Hans', last_name: null }, address],
  ])('%j is ignored if it equals the record', (typed, party) => {
    expect(checkTyped('billing', typed, party)).toBeUndefined()
  })

  test.each([
    ['billing', { name: 'Anna', city: 'Köln' }, client, 'name'],
    ['billing', { name: 'Anna Groß', city: 'Bonn' }, client, 'city'],
    ['delivery', { name: 'Klein' }, address, 'name'],
    ['delivery', { title: null, last_name: 'Klein' }, address, 'last_name'],
  ] as const)('as %s %j is refused if it differs', (side, typed, party, field) => {
    const expected = `the same as in the record of data.${side}_id`
    expect(thrownBy(() => checkTyped(side, typed, party))).toMatchObject({
      word: 'identifier_conflict',
      message: `\`data.${side}.${field}\` must be ${expected}.`,
      fields: [{ path: `data.${side}.${field}`, rule: 'identifier_conflict', expected }],
    })
  })
})

describe('typed addresses of an order', () => {
  const home = { address: 'Weg 1', zip: '01067', city: 'Dresden' }
  const guest = { ...home, first_name: 'Carla', name: 'Krug', mail: 'carla@example.org', countrycode: 'ch' }
  const unknown: PartyContext = { merchant, userId: 9, country: 'at', owner: { pointer: undefined, client: undefined } }
  const known: PartyContext = { ...unknown, owner: { pointer: { id: 3 }, client: client.record as never } }
  const claimed: PartyContext = { ...known, owner: { ...known.owner, pointer: { id: 3, claimed: true } } }

  const parties = (
    data: object,
    { billed = null, about = unknown }: { billed?: Party | null; about?: PartyContext } = {},
  ) => {
    const { newParties, ...sides } = inlineParties(order(data), billed, about)
    const { client: made, addresses } = newParties
    const names = partyActions(merchant, newParties).map(({ name }) => name)
    return { ...sides, names, stored: { clients: made ? 1 : 0, addresses: addresses.length } }
  }

  test('create a client for a new guest, with either name', () => {
    for (const billing of [guest, { ...guest, name: undefined, last_name: 'Krug' }]) {
      const { billing: made, delivery, guest: of, names, stored } = parties({ billing })
      const { address: street, zip, city, first_name, mail } = guest
      expect(made).toMatchObject({
        type: 'client',
        id: made.record.id,
        record: {
          address: street,
          zip,
          city,
          first_name,
          mail,
          last_name: 'Krug',
          countrycode: 'ch',
          customers_id: merchant,
        },
      })
      expect(made.record).not.toHaveProperty('name')
      expect([delivery, of, names, stored]).toEqual([
        null,
        null,
        ['new client', 'client mail'],
        { clients: 1, addresses: 0 },
      ])
    }
  })

  test('get the merchant’s country if they name none', () => {
    const { billing } = parties({ billing: { ...guest, countrycode: null } })
    expect(billing.record.countrycode).toBe('at')
  })

  test.each([
    [{ client_id: 3 }, 3],
    [{ client_id: 3, billing_type: 'address' }, 3],
    [{ billing_type: 'address' }, null],
  ])('with %j create an invoice address of client %p', (data, client_id) => {
    for (const about of [unknown, known]) {
      const { billing, guest: of, names, stored } = parties({ ...data, billing: guest }, { about })
      expect(billing).toMatchObject({
        type: 'address',
        id: billing.record.id,
        record: { ...guest, type: 'invoice', client_id, cruser_id: 9, customers_id: merchant },
      })
      expect([of, names, stored]).toEqual([null, ['new invoice address'], { clients: 0, addresses: 1 }])
    }
  })

  test('create a further address for a guest with the mail of a client, of whom only the number is shown', () => {
    const { billing, delivery, guest: of } = parties({ billing: guest, delivery: home }, { about: known })
    expect(billing).toMatchObject({ type: 'address', record: { ...guest, type: 'invoice', client_id: 3 } })
    expect(of).toMatchObject({
      id: 3,
      number: 'K3',
      customers_id: merchant,
      first_name: 'Carla',
      last_name: 'Krug',
      company: null,
    })
    expect(delivery).toMatchObject({ type: 'address', record: { type: 'shipping', client_id: 3, name: 'Krug' } })
  })

  test('belong to no client if a client has only claimed the mail', () => {
    const { billing, delivery, guest: of } = parties({ billing: guest, delivery: home }, { about: claimed })
    expect(billing).toMatchObject({ type: 'address', record: { client_id: null } })
    expect([of, delivery]).toMatchObject([null, { record: { client_id: null } }])
  })

  describe('for the delivery', () => {
    const deliver = (delivery: object, data: object = {}, billed: Party = client) =>
      parties({ ...data, delivery }, { billed })

    test('create a shipping address of the billed client', () => {
      const named = { ...home, last_name: 'Fremd' }
      const { billing, delivery, names, stored } = deliver(named)
      expect(billing).toBe(client)
      expect(delivery).toMatchObject({
        type: 'address',
        id: delivery?.record.id,
        record: { ...named, type: 'shipping', client_id: 3, cruser_id: 9, countrycode: 'at' },
      })
      expect([names, stored]).toEqual([['new shipping address'], { clients: 0, addresses: 1 }])
      expect(deliver(named, {}, address).delivery?.record).toMatchObject({ client_id: null })
      expect(deliver(named, { client_id: 4 }, address).delivery?.record).toMatchObject({ client_id: 4 })
      const { billing: made, delivery: beside, names: both } = parties({ billing: guest, delivery: named })
      expect(beside?.record).toMatchObject({ client_id: made.id })
      expect(both).toEqual(['new client', 'client mail', 'new shipping address'])
    })

    test.each([
      ['a client', client, { title: 'Dr.', first_name: 'Anna', last_name: 'Groß' }],
      ['an address', address, { title: 'Prof.', name: 'Hans Klein', first_name: 'Hans', last_name: null }],
    ])('get the name of %s that is billed if they have none', (_, billed, expected) => {
      const { record } = deliver(home, {}, billed).delivery ?? {}
      expect(record).toMatchObject({ ...home, ...expected })
      expect(record?.company ?? null).toBe(null)
      expect(deliver({ ...home, title: 'Mag.', first_name: 'Eva' }, {}, billed).delivery?.record).toMatchObject({
        title: 'Mag.',
        first_name: 'Eva',
        last_name: expected.last_name,
      })
    })

    test('get the company’s name where no person is billed, and are refused without any name', () => {
      const of = (company: string | null): Party => ({
        type: 'address',
        id: 6,
        record: { id: 6, name: null, last_name: null, first_name: null, title: null, company } as Address,
      })
      expect(deliver(home, {}, of('Krug GmbH')).delivery?.record).toMatchObject({ name: null, company: 'Krug GmbH' })
      expect(thrownBy(() => deliver(home, {}, of(null)))).toMatchObject({
        word: 'validation_failed',
        fields: [{ path: 'data.delivery', rule: 'named', expected: 'given a name, last_name or company' }],
      })
    })

    test('are ignored if the order names a record, or is collected', () => {
      for (const data of [{ delivery_id: 5 }, { delivery_type: 'none' }]) {
        const { delivery, names } = deliver({ ...home, last_name: 'Fremd' }, data)
        expect([delivery, names]).toEqual([null, []])
      }
      expect(parties({}, { billed: client })).toMatchObject({ billing: client, delivery: null, guest: null, names: [] })
    })
  })
})
