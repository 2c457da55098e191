import fc from 'fast-check'
import {
  CountryCode,
  filled,
  lines,
  optionalLines,
  optionalText,
  Timestamp,
  text,
  Uuid,
  word,
} from '../../shared/contract/schema/wire.ts'
import { named, noText, read, refused } from '../support/wire-look-alikes.ts'

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units))

const overrides = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const controls = [...Array(0x20).keys(), 0x7f, ...Array.from({ length: 0x20 }, (_, n) => 0x80 + n)]
const lineSigns = [0x09, 0x0a, 0x0d]
const hex = (codes: number[]) =>
  codes.map(code => [code.toString(16).padStart(4, '0'), String.fromCodePoint(code)] as const)
const loneSurrogates = ['\ud83c', '\udf77', 'a\ud83cb', '\udf77\ud83c', 'Wein\ud83c', '\ud83c\ud83c\udf77']

describe('one line of text', () => {
  test('is trimmed and normalized', () => {
    expect(read(text(), '  Mu\u0308ller \u00a0')).toBe('M\u00fcller')
  })

  test.each(
    named([
      '',
      '12',
      '🍷',
      '👨‍👩‍👧',
      'שלום',
      'Wein\u00adberg',
      "Robert'); DROP TABLE",
      '=1+1',
      '<b>',
      '__proto__',
      'null',
    ]),
  )('keeps %s', (_, value) => {
    expect(read(text(), value)).toBe(value)
  })

  test.each(hex(controls))('U+%s is refused at any position', (_, sign) => {
    for (const value of [sign, `${sign}a`, `a${sign}`, `a${sign}b`]) expect(read(text(), value)).toBe(refused)
  })

  test.each(hex(overrides))('the bidi override U+%s is refused', (_, sign) => {
    expect(read(text(), `a${sign}b`)).toBe(refused)
  })

  test.each(named(loneSurrogates))('the lone surrogate in %s is refused', (_, value) => {
    expect(read(text(), value)).toBe(refused)
  })

  test.each(named(noText))('%s is not a text', (_, value) => {
    expect(read(text(), value)).toBe(refused)
  })

  test.each(['a', 'ü', '🍷'])('its length counts code points (%s)', sign => {
    expect(read(text(), sign.repeat(255))).toBe(sign.repeat(255))
    expect(read(text(), sign.repeat(256))).toBe(refused)
  })

  test('its length is that of the trimmed and normalized text', () => {
    expect(read(text(3), '  abc  ')).toBe('abc')
    expect(read(text(3), 'u\u0308'.repeat(3))).toBe('\u00fc'.repeat(3))
    // U+0958 has no composed form: it is stored and counted as two code points.
    expect(read(text(3), '\u0958\u0958')).toBe(refused)
  })

  test('four times its length is refused before normalizing; less may become short enough', () => {
    expect(read(text(3), `${' '.repeat(9)}abc`)).toBe('abc')
    expect(read(text(3), `${' '.repeat(10)}abc`)).toBe(refused)
    let looks = 0
    const kept = String.prototype.normalize
    String.prototype.normalize = function (this: string, form?: string) {
      looks++
      return kept.call(this, form)
    }
    try {
      expect(read(lines(4000), 'a'.repeat(16_001))).toBe(refused)
    } finally {
      String.prototype.normalize = kept
    }
    expect(looks).toBe(0)
  })

  test('a run of more than 30 combining marks is refused, as slow to normalize', () => {
    expect(read(text(), `a${'\u0316'.repeat(30)}`)).toBe(`a${'\u0316'.repeat(30)}`)
    expect(read(text(), `a${'\u0316'.repeat(31)}`)).toBe(refused)
    expect(read(lines(4000), `${'a\u0301\u0316'.repeat(100)}${'\u0301\u0316'.repeat(16)}`)).toBe(refused)
    expect(read(lines(4000), 'a\u0301\u0316'.repeat(1000))).toBe('\u00e1\u0316'.repeat(1000))
  })

  test('an accepted text is well-formed, normalized, trimmed, short enough, and read again unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), written => {
        const value = read(text(8), written)
        if (value === refused) return
        const kept = value as string
        expect(kept.isWellFormed()).toBe(true)
        expect(kept).toBe(kept.normalize('NFC').trim())
        expect([...kept].length).toBeLessThanOrEqual(8)
        expect(read(text(8), kept)).toBe(kept)
      }),
    )
  })
})

describe('text of several lines', () => {
  test('has \\n as line ends, and keeps tabs', () => {
    expect(read(lines(100), 'a\r\nb\rc\n\td')).toBe('a\nb\nc\n\td')
  })

  test.each(hex(controls.filter(code => !lineSigns.includes(code))))('U+%s is refused', (_, sign) => {
    expect(read(lines(100), `a${sign}b`)).toBe(refused)
  })

  test.each(hex(overrides))('the bidi override U+%s is refused', (_, sign) => {
    expect(read(lines(100), `a${sign}b`)).toBe(refused)
  })

  test.each(named(loneSurrogates))('the lone surrogate in %s is refused', (_, value) => {
    expect(read(lines(100), value)).toBe(refused)
  })

  test('its length counts code points, a line end as one', () => {
    expect(read(lines(4000), '🍷'.repeat(4000))).toBe('🍷'.repeat(4000))
    expect(read(lines(4000), '🍷'.repeat(4001))).toBe(refused)
    expect(read(lines(3), 'a\r\nb')).toBe('a\nb')
  })
})

describe('optional and required text', () => {
  test.each(
    named([
      ...[
        '',
        ' ',
        '\u00a0',
        '\u3000',
        '\ufeff',
        '\u200b',
        '\u200b \u200d\u2060',
        '\u00ad',
        '\ufffe',
        '\uffff',
        '\ue000',
      ],
      ...['\u0301', '\u3164', '\u115f', '\u2800', '\ufe0f', '\u{e0041}', '\u{1fffe}'],
    ]),
  )('%s is not filled in', (_, value) => {
    expect(read(filled(), value)).toBe(refused)
    expect(read(optionalText(), value)).toBe(null)
    expect(read(optionalLines(10), value)).toBe(null)
  })

  test('null unsets an optional text and is refused for a required one', () => {
    expect(read(optionalText(), null)).toBe(null)
    expect(read(optionalLines(10), null)).toBe(null)
    expect(read(filled(), null)).toBe(refused)
  })

  test('a single character and "0" are filled in', () => {
    expect(read(filled(), '0')).toBe('0')
    expect(read(optionalText(), '0')).toBe('0')
  })

  test('the rules of text apply to optional text as well', () => {
    expect(read(optionalText(3), 'abcd')).toBe(refused)
    expect(read(optionalText(), 'a\u0000')).toBe(refused)
    expect(read(optionalLines(3), 'a\nbcd')).toBe(refused)
    expect(read(optionalText(), 0)).toBe(refused)
  })
})

describe('uuids', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'

  test('are accepted in any case and returned in lower case', () => {
    expect(read(Uuid, uuid)).toBe(uuid)
    expect(read(Uuid, uuid.toUpperCase())).toBe(uuid)
  })

  test.each(
    named([
      ...['', uuid.slice(1), `${uuid}0`, uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`, ` ${uuid}`],
      ...[`${uuid}\n`, uuid.replace('0', '０'), uuid.replace('f', 'g'), uuid.replace('-', '–'), `${uuid},${uuid}`],
      ...[...noText, [uuid]],
    ]),
  )('%s is not one', (_, value) => {
    expect(read(Uuid, value)).toBe(refused)
  })
})

describe('country codes, timestamps and words', () => {
  test('a country code is two letters in either case, stored in lower case', () => {
    for (const code of ['de', 'DE', 'De']) expect(read(CountryCode, code)).toBe('de')
    for (const [code, iso] of [
      ['UK', 'gb'],
      ['el', 'gr'],
    ])
      expect(read(CountryCode, code)).toBe(iso)
    for (const code of ['xk', 'gb', 'tw', 'ps', 'zw', 'ad']) expect(read(CountryCode, code)).toBe(code)
  })

  test.each(
    named([
      'xx',
      'zz',
      'ic',
      'eu',
      'XX',
      '',
      'd',
      'deu',
      'd1',
      'de ',
      ' de',
      'de\n',
      'ｄｅ',
      'dе',
      'ß',
      'é',
      ...noText,
    ]),
  )('%s is not a country code', (_, value) => {
    expect(read(CountryCode, value)).toBe(refused)
  })

  test.each(
    named([
      ...['', '2026-01-31', '2026-01-31T12:00:00', '2026-01-31 12:00', '2026-01-31 12:00:00Z', '2026-01-31 12:00:00\n'],
      ...['26-01-31 12:00:00', '2026-1-31 12:00:00', '２０２６-01-31 12:00:00', ...noText],
    ]),
  )('%s is not a timestamp', (_, value) => {
    expect(read(Timestamp, value)).toBe(refused)
  })

  test('a timestamp has the form of the interface', () => {
    expect(read(Timestamp, '2026-01-31 12:00:00')).toBe('2026-01-31 12:00:00')
  })

  const taste = word(['dry', 'sweet'])

  test.each(
    named(['', 'Dry', 'dry ', 'dry,sweet', 'constructor', '__proto__', 'toString', '0', 'length', ...noText]),
  )('%s is not a word of the list', (_, value) => {
    expect(read(taste, value)).toBe(refused)
  })

  test('a word of the list is unchanged', () => {
    expect(read(taste, 'dry')).toBe('dry')
  })
})
