import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import {
  digestOf,
  formToken,
  holderIn,
  newAuthId,
  newCredentialId,
  sameDigest,
  type TokenKind,
} from '../../shared/merchants/sessions.ts'

const kind = fc.constantFrom<TokenKind>('wka', 'wks')
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const secret = hex(64).map(text => Buffer.from(text, 'hex'))
const token = fc.tuple(kind, hex(12), secret).map(([one, id, bytes]) => formToken(one, id, bytes))

const sealed = (body: string) => `${body}_${crc32(body).toString(16).padStart(8, '0')}`

describe('a token', () => {
  const known = formToken('wka', '0123456789ab', Buffer.alloc(32, 1))

  test('consists of its kind, its credential, 256 bits and their checksum, in lower-case hex', () => {
    expect(known).toBe(sealed(`wka_0123456789ab_${'01'.repeat(32)}`))
    expect(formToken('wks', '0123456789ab')).toMatch(/^wks_0123456789ab_[0-9a-f]{64}_[0-9a-f]{8}$/)
  })

  test('is unique', () => {
    expect(new Set(Array.from({ length: 100 }, () => formToken('wks', '0123456789ab'))).size).toBe(100)
  })

  test('contains its credential', () => {
    fc.assert(
      fc.property(kind, hex(12), secret, (one, id, bytes) => {
        expect(holderIn(one, formToken(one, id, bytes))).toBe(id)
      }),
    )
  })

  test('is valid only as its own kind', () => {
    fc.assert(
      fc.property(hex(12), secret, (id, bytes) => {
        expect(holderIn('wks', formToken('wka', id, bytes))).toBe(undefined)
        expect(holderIn('wka', formToken('wks', id, bytes))).toBe(undefined)
      }),
    )
  })

  test('is invalid with a single wrong character', () => {
    fc.assert(
      fc.property(token, fc.nat(), fc.constantFrom(...'0123456789abcdefgGksA_- \n'), (right, place, sign) => {
        const at = place % right.length
        fc.pre(right[at] !== sign)
        const wrong = right.slice(0, at) + sign + right.slice(at + 1)
        expect([holderIn('wka', wrong), holderIn('wks', wrong)]).toEqual([undefined, undefined])
      }),
    )
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' '],
    ['blanks before it', ` ${known}`],
    ['a line end behind it', `${known}\n`],
    ['its upper case', known.toUpperCase()],
    ['more behind it', `${known}0`],
    ['two of them', known + known],
    ['a cut one', known.slice(0, -1)],
    ['one without its checksum', known.slice(0, -9)],
    ['another kind with a right checksum', sealed(`wkx_0123456789ab_${'01'.repeat(32)}`)],
    ['a short credential with a right checksum', sealed(`wka_0123456789a_${'01'.repeat(32)}`)],
    ['a short secret with a right checksum', sealed(`wka_0123456789ab_${'01'.repeat(31)}`)],
    ['signs beside hex with a right checksum', sealed(`wka_0123456789ag_${'01'.repeat(32)}`)],
    ['full-width digits with a right checksum', sealed(`wka_０123456789ab_${'01'.repeat(32)}`)],
    ['a key of the table', 'credential#0123456789ab'],
    ['a very long text', 'wka_'.repeat(100_000)],
  ])('is invalid as %s', (_, wrong) => {
    expect(holderIn('wka', wrong)).toBe(undefined)
  })
})

describe('a token of a client', () => {
  const ids = fc.tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.maxSafeNat())

  test('contains its merchant and client, and is valid only as its own kind', () => {
    fc.assert(
      fc.property(ids, secret, ([merchant, client], bytes) => {
        const holder = `${merchant.toString(16)}x${client.toString(16)}`
        const text = formToken('wkc', holder, bytes)
        expect(holderIn('wkc', text)).toBe(holder)
        expect([holderIn('wka', text), holderIn('wks', text)]).toEqual([undefined, undefined])
      }),
    )
  })

  test.each(['1x', 'x1', '11', '1x1x1', '1X1', `${'f'.repeat(15)}x1`])('is invalid with the holder %s', holder => {
    expect(holderIn('wkc', sealed(`wkc_${holder}_${'01'.repeat(32)}`))).toBe(undefined)
  })
})

test('new ids have the form that tokens and keys expect', () => {
  expect(newCredentialId()).toMatch(/^[0-9a-f]{12}$/)
  expect(holderIn('wka', formToken('wka', newCredentialId()))).toMatch(/^[0-9a-f]{12}$/)
  expect(newAuthId()).toMatch(/^wk-[0-9a-f]{16}$/)
  expect(newAuthId()).not.toBe(newAuthId())
})

describe('digests', () => {
  test('a digest is SHA-256 in hex', () => {
    expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    fc.assert(
      fc.property(token, text => {
        expect(digestOf(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
      }),
    )
  })

  test('two digests are the same if every character is', () => {
    fc.assert(
      fc.property(hex(64), hex(64), fc.nat(63), (one, other, at) => {
        expect(sameDigest(one, one)).toBe(true)
        expect(sameDigest(one, other)).toBe(one === other)
        const changed = one.slice(0, at) + (one[at] === '0' ? '1' : '0') + one.slice(at + 1)
        expect(sameDigest(one, changed)).toBe(false)
      }),
    )
  })

  test('digests of different lengths differ', () => {
    const digest = digestOf('a')
    for (const other of ['', digest.slice(1), `${digest}0`]) expect(sameDigest(digest, other)).toBe(false)
  })
})
