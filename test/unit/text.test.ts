import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { slug } from '../../shared/values/slug.ts'
import { fold } from '../../shared/values/text.ts'

const unicode = () => fc.string({ unit: 'binary', maxLength: 30 })

describe('folding', () => {
  test.each([
    ['Weißburgunder', 'weissburgunder'],
    ['WEISSBURGUNDER', 'weissburgunder'],
    ['WEIẞBURGUNDER', 'weissburgunder'],
    ['MÜLLER', 'müller'],
    ['Mu\u0308ller', 'müller'],
    ['Muller', 'muller'],
    ['Côte', 'côte'],
    ['ISTANBUL', 'istanbul'],
    ['„Alte Reben“ 🍷', '„alte reben“ 🍷'],
  ])('%s becomes %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test('a Greek word is contained in a longer one, whatever the form of its last sigma', () => {
    expect(fold('ΜΑΣΤΙΧΑ')).toContain(fold('ΜΑΣ'))
    expect(fold('μας')).toBe(fold('ΜΑΣ'))
  })

  test('letters that compose in one case only are folded alike', () => {
    expect(fold('J\u030C')).toBe(fold('\u01F0'))
  })

  test('control characters stay', () => {
    const controls = String.fromCodePoint(...Array.from({ length: 32 }, (_, code) => code), 127)
    expect(fold(`a${controls}b`)).toBe(`a${controls}b`)
  })

  test('folding a folded text changes nothing', () => {
    fc.assert(fc.property(unicode(), text => fold(fold(text)) === fold(text)))
  })

  test('composed and decomposed spellings are folded alike', () => {
    fc.assert(fc.property(unicode(), text => fold(text.normalize('NFD')) === fold(text.normalize('NFC'))))
  })

  // The digest is the one of Node 22.18's own normalization and lower case, by Unicode 16.0, without a table.
  test('every Node folds every character alike, also between letters and marks', () => {
    const digest = createHash('sha256')
    for (let code = 0; code < 0x30000; code++) {
      const sign = String.fromCodePoint(code)
      if (sign.isWellFormed()) digest.update(`${fold(`a${sign}\u0300\u0316${sign}E`)}\n`)
    }
    expect(digest.digest('hex')).toBe('74bfb6ae59245387575c26d1f23f2f60eb544ff0ca8578775442abe96fb47ad0')
  })

  test('characters that are newer than Unicode 16.0 stay as they are', () => {
    for (const sign of ['\ua7ce', '\u{16ea0}', 'a\u1acf\u0300']) expect(fold(sign)).toBe(sign)
  })

  test('a folded text survives UTF-8 encoding', () => {
    const lone = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)) })
    fc.assert(fc.property(lone, text => Buffer.from(fold(text)).toString() === fold(text)))
  })
})

describe('a slug', () => {
  test.each([
    ['2022 Würzburger Stein Silvaner', '2022-wuerzburger-stein-silvaner'],
    ['Weißburgunder "Große Öde" Äcker', 'weissburgunder-grosse-oede-aecker'],
    ['WEIẞ', 'weiss'],
    ['Mu\u0308ller', 'mueller'],
    ["Château L'Étoile, Côte d'Or", 'chateau-l-etoile-cote-d-or'],
    ['Smørrebrød Łódź Œuvre', 'smorrebrod-lodz-oeuvre'],
    ['  --Riesling--  ', 'riesling'],
    ['Ξινόμαυρο', 'xinomayro'],
    ['Саперави Ркацители', 'saperavi-rkatsiteli'],
    ['საფერავი', 'saperavi'],
    ['🍷', 'wine-glass'],
    ['', 'wine'],
    ['…!?', 'wine'],
  ])('%s becomes %s', (name, segment) => {
    expect(slug(name)).toBe(segment)
  })

  test('a long name is cut to 200 characters and does not end in a hyphen', () => {
    expect(slug('a'.repeat(300))).toBe('a'.repeat(200))
    expect(slug(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199))
  })

  test('every name gives a path segment that is its own slug', () => {
    fc.assert(
      fc.property(unicode(), name => {
        expect(slug(name)).toMatch(/^(?=.{1,200}$)[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(slug(slug(name))).toBe(slug(name))
      }),
    )
  })
})
