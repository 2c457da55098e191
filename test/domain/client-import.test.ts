import { type ClientRow, clients } from '../../lib/tool/imports/clients.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { mailKey } from '../../shared/clients/store.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newAccount } from '../support/client-account.ts'

const shop = await newCellar('Kellerei Import')
const merchant = shop.id

const bring = (rows: readonly ClientRow[]) =>
  importRecords(
    merchant,
    clients,
    rows.map(row => ({ last_name: 'Krug', ...row })),
  )
const idOf = async (number: string) => (await clients.read(merchant)).clients.find(one => one.number === number)?.id
const holder = async (mail: string) => (await getItem(mailKey(merchant, mail)))?.id ?? null
const exists = async (mail: string) => (await shop.call('clients/exists', { mail })).json.data

test('an imported client is found by its mail; of several the first', async () => {
  await bring([
    { number: 'A', mail: 'Eins@Example.org' },
    { number: 'B', mail: 'eins@example.org' },
    { number: 'C', mail: null },
    { number: 'D', mail: 'zwei@example.org' },
  ])
  expect([await exists('eins@example.org'), await exists('zwei@example.org')]).toEqual([
    await idOf('A'),
    await idOf('D'),
  ])
  const order = { billing: { last_name: 'Gast', address: 'Weg 1', zip: '1', city: 'Jena', mail: 'ZWEI@example.org' } }
  const { json } = await shop.call('orders/add', {
    data: { ...order, payment_type: 'invoice', items: itemsOf(shop, { riesling: 1 }) },
  })
  expect(json.data).toMatchObject({ client_id: await idOf('D'), client: { number: 'D' } })
})

test('a mail that a file changes, removes or assigns to another client is found at its new owner', async () => {
  await bring([
    { number: 'A', mail: 'drei@example.org' },
    { number: 'D', mail: null },
    { number: 'E', mail: 'zwei@example.org' },
  ])
  expect(await holder('eins@example.org')).toBe(await idOf('B'))
  expect(await holder('drei@example.org')).toBe(await idOf('A'))
  expect(await holder('zwei@example.org')).toBe(await idOf('E'))
  await bring([{ number: 'E', deleted: 1 }])
  expect([await holder('zwei@example.org'), await exists('zwei@example.org')]).toEqual([null, false])
})

test('clients of releases without mail lookup are found after the next import', async () => {
  await deleteItem(mailKey(merchant, 'drei@example.org'))
  await bring([{ number: 'C' }])
  expect(await holder('drei@example.org')).toBe(await idOf('A'))
})

test('an import does not take mails from guests and accounts', async () => {
  const account = await newAccount(shop, { mail: 'konto@example.org' })
  const { hash } = (await shop.call('clients/getPasswordHash', account)).json.data
  await bring([{ number: 'F', mail: 'Konto@example.org' }])
  expect(await holder('konto@example.org')).toBe(account.id)
  const { number } = (await account.call('clients/get')).json.data
  expect(number).toMatch(/^K-\d+$/)
  expect((await shop.call('clients/validatePasswordHash', { hash })).status).toBe(200)
  // A file identifies a registered client by the number that the service assigned.
  await bring([{ number, rebate: 5 }])
  expect(await getItem(key('client', { merchant, id: account.id }))).toMatchObject({ rebate: 5, mail: account.mail })
})

test('a mail that a client changes during an import keeps its new owner', async () => {
  const account = await newAccount(shop, { mail: 'vorher@example.org' })
  const before = await clients.read(merchant)
  await account.call('clients/edit', { data: { mail: 'nachher@example.org' } })
  // Clients and mails are read concurrently: the client may be as before the change, and the mails as after it.
  const { holders } = await clients.read(merchant)
  const state = { ...before, holders }
  const rows: ClientRow[] = [{ number: 'N', last_name: 'Neu' }]
  const write = async () => {
    const work = { state, plan: clients.plan(state, rows), rows, wantedId: () => undefined }
    for await (const _ of clients.writes(merchant, work));
  }
  await expect(write()).rejects.toThrow(TransactionRefused)
  await bring(rows)
  expect([await holder('vorher@example.org'), await holder('nachher@example.org')]).toEqual([null, account.id])
})
