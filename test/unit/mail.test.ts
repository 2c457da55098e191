import fc from 'fast-check'
import * as v from 'valibot'
import { clientFields } from '../../shared/contract/records/client.ts'
import { wineryFields } from '../../shared/contract/records/winery.ts'
import { NewAddress } from '../../shared/contract/routes/addresses.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { FilledMail, Mail } from '../../shared/contract/schema/wire.ts'
import { read, refused } from '../support/wire-look-alikes.ts'

const label = fc.stringMatching(/^[a-z0-9äß-]{1,12}$/)
const name = fc.stringMatching(/^[A-Za-z0-9.+_'äé-]{1,30}$/)
const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map(labels => labels.join('.'))
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', last_name: 'Krug' }

describe('a mail address', () => {
  test('is a name, one @ and a domain with a dot, and is stored unchanged', () => {
    fc.assert(
      fc.property(name, domain, (one, other) => {
        expect(read(Mail, ` ${one}@${other} `)).toBe(`${one}@${other}`.normalize('NFC'))
      }),
    )
  })

  test('has at most 254 characters', () => {
    const mail = (length: number) => `${'a'.repeat(length - '@example.org'.length)}@example.org`
    expect(read(Mail, mail(254))).toBe(mail(254))
    expect(read(Mail, mail(255))).toBe(refused)
    expect(read(FilledMail, mail(255))).toBe(refused)
  })

  test('has one @, a dot after it, no space and no empty part', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '@', ' ', '\u00a0', 'ü', '-') }), text => {
        const [, domain = ''] = text.trim().split('@')
        const parts = text.trim().split('@')
        const isOne =
          parts.length === 2 &&
          parts[0] !== '' &&
          domain.includes('.') &&
          domain.split('.').every(Boolean) &&
          !/\s/.test(text.trim())
        const none = text.trim() === '' ? null : refused
        expect(read(Mail, text)).toBe(isOne ? text.trim() : none)
      }),
      { numRuns: 500 },
    )
  })

  test('may be missing where it is optional', () => {
    for (const nothing of [null, '', '  ', '\u200b']) {
      expect(read(Mail, nothing)).toBe(null)
      expect(read(FilledMail, nothing)).toBe(refused)
    }
  })

  test.each([
    ['an address', v.object({ mail: NewAddress.entries.mail })],
    ['an address typed at the checkout', v.object({ mail: v.unwrap(NewOrder.entries.billing).entries.mail })],
    ['a delivery typed at the checkout', v.object({ mail: v.unwrap(NewOrder.entries.delivery).entries.mail })],
    ['a client’s row of a file', v.object({ mail: clientFields.mail.column })],
    ['a winery’s row of a file', v.object({ mail: wineryFields.mail.column })],
  ])('is required in %s', (_, schema) => {
    expect(v.safeParse(schema, { mail: 'ada@example.org' }).success).toBe(true)
    expect(v.safeParse(schema, { mail: null }).success).toBe(true)
    expect(v.safeParse(schema, { mail: 'ada.example.org' }).success).toBe(false)
    expect(v.safeParse(schema, { mail: 'ada@example' }).success).toBe(false)
  })
})

test('an address typed at the checkout may lack a country, but not have an invalid one', () => {
  const typed = (countrycode: object) =>
    v.safeParse(NewOrder, { items: [], billing: { ...home, ...countrycode } }).output as { billing?: object }
  for (const nothing of [{}, { countrycode: null }, { countrycode: '' }]) {
    expect(typed(nothing).billing).toMatchObject({ countrycode: null })
  }
  expect(typed({ countrycode: 'AT' }).billing).toMatchObject({ countrycode: 'at' })
  expect(v.safeParse(NewOrder, { items: [], billing: { ...home, countrycode: 'xx' } }).success).toBe(false)
})
