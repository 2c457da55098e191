import fc from 'fast-check'
import { holdersAfter, mailActions } from '../../lib/tool/imports/client-mails.ts'
import { foldMail } from '../../shared/clients/store.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'

type Someone = { id: number; mail: string | null; deleted: 0 | 1 }

const merchant = 7 as MerchantId
const mail = fc.constantFrom('a@x.de', 'A@x.de', 'b@x.de', 'B@X.DE', 'c@x.de', null)
const clients = fc
  .array(fc.record({ mail, deleted: fc.constantFrom<0 | 1>(0, 0, 0, 1) }), { maxLength: 6 })
  .map(all => all.map((one, n): Someone => ({ ...one, id: n + 1 })))
const holders = fc
  .dictionary(fc.constantFrom('a@x.de', 'b@x.de', 'c@x.de'), fc.integer({ min: 1, max: 8 }))
  .map(all => new Map(Object.entries(all)))

const folded = ({ mail: one, deleted }: Someone) => (one === null || deleted ? null : foldMail(one))

test('mails that differ only in case or normalization are the same', () => {
  expect(foldMail('Ada.GROSS@Example.ORG')).toBe('ada.gross@example.org')
  expect(foldMail('A\u0308@x.de')).toBe(foldMail('\u00c4@x.de'))
  expect(foldMail('\u0130@x.de').normalize('NFC')).toBe(foldMail('\u0130@x.de'))
})

test('each mail belongs to one of its clients: to the present owner, else to the first', () => {
  fc.assert(
    fc.property(holders, clients, (before, all) => {
      const after = holdersAfter(before, all)
      const ids = new Set(all.map(({ id }) => id))
      for (const [one, id] of before) {
        const still = !ids.has(id) || all.some(client => client.id === id && folded(client) === one)
        if (still) expect(after.get(one)).toBe(id)
      }
      for (const client of all) {
        const one = folded(client)
        if (one === null) continue
        const holder = after.get(one)
        const first = all.find(other => folded(other) === one)?.id
        expect(holder === before.get(one) || holder === first).toBe(true)
      }
      for (const [one, id] of after) {
        expect(!ids.has(id) || all.some(client => client.id === id && folded(client) === one)).toBe(true)
      }
    }),
  )
})

test('the writes assign the mails to their owners, each key once, without those that are right already', () => {
  fc.assert(
    fc.property(holders, clients, (before, all) => {
      const after = holdersAfter(before, all)
      const written = [...mailActions(merchant, before, after)].flatMap(([id, actions]) =>
        actions.map(({ key, name }) => ({ id, mail: key.sk, isTaken: name === 'client mail' })),
      )
      expect(new Set(written.map(one => one.mail)).size).toBe(written.length)
      const table = new Map(before)
      for (const { id, mail: one, isTaken } of written) {
        if (isTaken) table.set(one, id)
        else table.delete(one)
      }
      expect(table).toEqual(after)
      expect(mailActions(merchant, after, holdersAfter(after, all)).size).toBe(0)
    }),
  )
})
