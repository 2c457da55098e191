import fc from 'fast-check'
import { matches } from '../../lib/twin/iam/policy.ts'
import type { ItemKind } from '../../shared/contract/item-kinds.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import {
  indexKey,
  itemKindOf,
  key,
  keyTable,
  lastNumber,
  leadingKeys,
  type MerchantId,
  partition,
  sortable,
  sortKeyPrefix,
} from '../../shared/platform/table/keys.ts'

type AnyParts = Record<string, string | number>
type AnyShape = { pk: string; sk: string; index: string | undefined }

// The types of keys.ts require each shape's own parts; these tests loop over all shapes.
const anyKey = key as unknown as (shape: ItemKind, parts: AnyParts) => { pk: string; sk: string }
const anyPartition = partition as unknown as (shape: ItemKind, parts: AnyParts) => string
const anyIndexKey = indexKey as unknown as (shape: ItemKind, parts: AnyParts) => string

const all = Object.entries(keyTable) as [ItemKind, AnyShape][]
const holesOf = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const fillAll = (shape: AnyShape, value: string | number): AnyParts =>
  Object.fromEntries(holesOf(shape.pk + shape.sk + (shape.index ?? '')).map(name => [name, value]))

/** The shapes that belong to no merchant, and why they cannot. */
const shared: Partial<Record<ItemKind, string>> = {
  directory: 'the operator’s list of merchants',
  sequence: 'numbers unique over all merchants',
  publicWine: 'read by anybody',
  publicVersion: 'read by anybody',
  publicSlug: 'read by anybody',
  publicHash: 'read by anybody',
  label: 'read by anybody',
  paymentOwner: 'names the merchant of a payment that an event is about',
  wineOwner: 'names the merchant of a wine that a public link is about',
  sandboxPayment: 'belongs to the stand-in of a payment provider',
  credential: 'read before it is known whose it is',
  session: 'read before it is known whose it is',
  failures: 'counted before it is known whose they are',
  rate: 'counted by sign-in as well, which reaches no partition of a merchant',
}

const owned = all.filter(([name]) => !(name in shared))
const merchant = 7 as MerchantId

describe('the isolation of merchants', () => {
  test.each(owned)('%s has its merchant in the partition key', (_, { pk }) => {
    expect(pk).toMatch(/^m#\{merchant\}#[a-z-]+$/)
  })

  test('only the listed shapes have no merchant, and they start with another word', () => {
    for (const name of Object.keys(shared)) expect(keyTable).toHaveProperty(name)
    for (const [, { pk, sk }] of all.filter(([name]) => name in shared)) {
      expect(pk).not.toMatch(/^m#|^\{/)
      expect(pk + sk).not.toContain('{merchant}')
    }
  })

  test('no partition of one merchant is a partition of another', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (one, other) => {
        const of = (id: number) => owned.map(([name]) => anyPartition(name, { merchant: id }))
        const others = new Set(of(other))
        expect(of(one).some(pk => others.has(pk))).toBe(one === other)
      }),
    )
  })
})

// The worst values of parts: numbers of any size, callers' texts, keys of other shapes.
const hostile = fc.oneof(
  fc.constantFrom('x', 'm#7#orders', '#', '*', '#orders', 'ip#::1', 'authid#m#7#wines', 'hashes', 'slugs', 'merchant'),
  fc.string({ minLength: 1 }),
)
const number = fc.maxSafeNat()

// The types keep all but numbers out of a merchant's id; shards are numbers, ids of credentials and digests hex.
const partsOf = (name: string) => (['merchant', 'shard'].includes(name) ? number : hostile)

describe('the IAM patterns of leading keys', () => {
  test.each(all)('the pattern of %s matches its own partitions', (name, { pk }) => {
    const parts = fc.record(Object.fromEntries(holesOf(pk).map(hole => [hole, partsOf(hole)])))
    fc.assert(
      fc.property(parts, given => {
        expect(matches(leadingKeys(name), anyPartition(name, given))).toBe(true)
      }),
    )
  })

  test.each(all)('the pattern of %s matches no partition of another key', (one, { pk }) => {
    for (const [other, { pk: otherPk }] of all.filter(([, shape]) => shape.pk !== pk)) {
      const parts = fc.record(Object.fromEntries(holesOf(otherPk).map(hole => [hole, partsOf(hole)])))
      fc.assert(
        fc.property(parts, given => {
          if (matches(leadingKeys(one), anyPartition(other, given))) throw new Error(`it matches ${other}`)
        }),
        { numRuns: 20 },
      )
    }
  })

  test('a public route may access no merchant’s item, except those it writes and the merchant of a wine’s price', () => {
    const names = new Set<string>(owned.map(([name]) => name))
    // The first request for a wine's sheet or drawn picture makes it.
    const sheet = ['wine', 'catalogue', 'merchant', 'grape', 'facts', 'sheetLease']
    const made: Record<string, string[]> = {
      '/PDF/{id}/{file}': sheet,
      '/wines/downloadExpertise': sheet,
      '/Images/{kind}/{id}/{file}': ['wine'],
      '/wines/getAll': ['merchant'],
      '/wines/search': ['merchant'],
      '/wines/getPublic': ['merchant'],
    }
    for (const { path, permissions } of routes.filter(({ level }) => level === 'public')) {
      const touched = Object.keys(permissions).filter(name => names.has(name))
      expect([path, ...touched]).toEqual([path, ...(made[path] ?? [])])
    }
  })

  test('an unreadable key matches no pattern', () => {
    for (const [name] of all) expect(matches(leadingKeys(name), '')).toBe(false)
  })
})

describe('keys', () => {
  test('a partition key contains its parts unchanged, a sort key pads numbers', () => {
    expect(key('order', { merchant, id: 12 })).toEqual({ pk: 'm#7#orders', sk: '0000000000000012' })
    expect(key('orderUuid', { merchant, uuid: 'a-b' })).toEqual({ pk: 'm#7#order-uuids', sk: 'a-b' })
    expect(key('stock', { merchant, type: 'wine', id: 12 })).toEqual({ pk: 'm#7#stock', sk: 'wine#0000000000000012' })
    expect(key('merchant', { merchant })).toEqual({ pk: 'm#7#merchant', sk: 'merchant' })
    expect(partition('wine', { merchant })).toBe('m#7#wines')
    expect(indexKey('address', { client: 5, id: 9 })).toBe('0000000000000005#0000000000000009')
  })

  test('a part may contain special characters of templates and replacements', () => {
    for (const slug of ['{id}', '$&', '$1', '{merchant}', '#', '\\'])
      expect(key('slug', { merchant, slug }).sk).toBe(slug)
  })

  test.each(all)('each part of %s is required', (name, shape) => {
    for (const [template, make] of [
      [shape.pk, anyPartition],
      [shape.pk + shape.sk, anyKey],
      [shape.index ?? '', anyIndexKey],
    ] as const) {
      for (const hole of holesOf(template)) {
        for (const missing of [undefined, '']) {
          const parts = { ...fillAll(shape, 'x'), [hole]: missing } as AnyParts
          expect(() => make(name, parts)).toThrow(`key part ${hole} is missing`)
        }
      }
    }
  })

  test('0 is a valid part', () => {
    expect(key('client', { merchant, id: 0 }).sk).toBe('0000000000000000')
  })

  test('no two shapes of one partition share a sort key', () => {
    const samples = all.map(([name, shape]) => [name, anyKey(name, fillAll(shape, 7))] as const)
    const texts = samples.map(([, { pk, sk }]) => `${pk}\n${sk}`)
    expect(new Set(texts).size).toBe(all.length)
  })
})

describe('numbers in sort keys', () => {
  test('they sort as text in numeric order', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (one, other) => {
        expect(sortable(one) < sortable(other)).toBe(one < other)
        expect(Number(sortable(one))).toBe(one)
      }),
    )
  })

  test('their bytes, by which DynamoDB sorts, are in the same order', () => {
    const numbers = [0, 1, 9, 10, 99, 100, 2 ** 31, 2 ** 32, 10 ** 15, Number.MAX_SAFE_INTEGER]
    const sorted = numbers.map(sortable).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(sorted.map(Number)).toEqual(numbers)
    expect(new Set(sorted.map(text => text.length))).toEqual(new Set([16]))
  })

  test('are parsed from the end of a key, with or without others before them', () => {
    fc.assert(
      fc.property(number, number, (client, id) => {
        expect(lastNumber(indexKey('address', { client, id }))).toBe(id)
        expect(lastNumber(key('client', { merchant, id }).sk)).toBe(id)
      }),
    )
    expect(lastNumber(key('stock', { merchant, type: 'wine', id: 12 }).sk)).toBe(12)
  })

  test('the addresses of a client are adjacent, sorted by id', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(30), number), fc.tuple(fc.nat(30), number), (one, other) => {
        const by = ([client, id]: [number, number]) => indexKey('address', { client, id })
        const before = one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])
        expect(by(one) < by(other)).toBe(before)
      }),
    )
  })
})

test('a sort key’s prefix with all of its parts is the sort key', () => {
  const merchant = 7 as MerchantId
  expect(sortKeyPrefix('stock', { type: 'wine', id: 3 })).toBe(key('stock', { merchant, type: 'wine', id: 3 }).sk)
})

test.each(all)('an item of kind %s is recognized by its key', (kind, shape) => {
  const texts = fillAll(shape, 'a-B_9.7@x')
  const numbers = fillAll(shape, 12)
  for (const parts of [texts, numbers]) expect(itemKindOf(anyKey(kind, parts))).toBe(kind)
})

test('an unknown key has no kind', () => {
  expect(itemKindOf({ pk: 'm#7#cellars', sk: '1' })).toBeUndefined()
  expect(itemKindOf({ pk: 'm#7#catalogue', sk: 'other' })).toBeUndefined()
})
