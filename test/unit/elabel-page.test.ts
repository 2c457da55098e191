import { createHash } from 'node:crypto'
import * as v from 'valibot'
import {
  classKeys,
  labelLanguages,
  type nutrientKeys,
  packagingParts,
} from '../../shared/contract/labels/label-tables.ts'
import { GivenFacts, type Label } from '../../shared/contract/records/facts.ts'
import { preferredLanguage } from '../../shared/documents/elabels/language.ts'
import { labelPage, labelPolicy, missingPage } from '../../shared/documents/elabels/page.ts'
import { termsIn } from '../../shared/documents/elabels/terms.ts'
import { allKeys, label, smallLabel } from '../support/label-samples.ts'

const textIn = (page: string): string =>
  page
    .replace(/^.*<body>/s, '')
    .replaceAll(/<(?!\/?b>)[^>]+>/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\n+/g, '\n')

const lines = (one: Label, language: (typeof labelLanguages)[number] = 'de') =>
  textIn(labelPage(one, language)).split('\n')

const with_ = (more: Partial<Label>): Label => ({ ...label, ...more })

describe('the page of a label', () => {
  test('shows product, ingredients, nutrition, recycling and operator, kilojoules first', () => {
    const text = textIn(labelPage(label, 'de'))
    for (const part of [
      'Radebeuler Goldener Wagen Riesling\nWeißwein\nJahrgang\n2024\nHerkunft\nDeutschland\nAlkohol\n12 % vol\nNettofüllmenge\n750 ml',
      'Zutaten\nTrauben, Saccharose\n',
      'Brennwert\n294 kJ / 71 kcal\nKohlenhydrate\n1 g\ndavon Zucker\n0,3 g',
      'E (100 ml): 294 kJ / 71 kcal',
      'Enthält geringfügige Mengen von Fett, gesättigten Fettsäuren, Eiweiß und Salz',
      'Flasche: Glas (GL 71)\nKorken: Holz (FOR 51)',
      'Abfüller: \nWeingut Beispiel\n, \nHauptstraße 1, 01067 Dresden',
    ])
      expect(text).toContain(part)
  })

  test('lists ingredients by class, with E numbers, alternatives by and/or, and allergens emphasized', () => {
    expect(lines(label)).toEqual(
      expect.arrayContaining([
        'Säureregulator: Milchsäure (E 270)',
        'Säureregulatoren: enthält Weinsäure (E 334) und/oder Äpfelsäure (E 296)',
        'Konservierungsstoff: <b>Schwefeldioxid</b> (E 220)',
        'unter Schutzatmosphäre abgefüllt',
        'Enthält: <b>Sulfite</b>',
      ]),
    )
    expect(labelPage(label, 'de')).toMatch(/b\{text-decoration:underline\}/)
    expect(lines(with_({ ingredients: [{ key: 'grapes' }] })).join()).not.toContain('<b>')
  })

  test('lists the classes in the order of the table, whatever the order of the ingredients', () => {
    const ingredients = classKeys.map((name, n) => ({ name: `Stoff${n}`, class: name }))
    const page = labelPage(with_({ ingredients: ingredients.toReversed() }), 'de')
    expect([...page.matchAll(/Stoff(\d+)/g)].map(([, n]) => Number(n))).toEqual(classKeys.map((_, n) => n))
  })

  test('has an ingredient of the merchant’s own in the language of the page, else in its own', () => {
    const shown = (language: 'de' | 'en' | 'fr') => labelPage(label, language)
    expect(shown('de')).toContain('<li>Waldmeister</li>')
    expect(shown('en')).toContain('<li>woodruff</li>')
    expect(shown('fr')).toContain('<li><span lang="de">Waldmeister</span></li>')
    const renamed = with_({ ingredients: [{ name: 'Honig', class: 'other', names: { de: 'Blütenhonig' } }] })
    expect(labelPage(renamed, 'de')).toContain('<li>Blütenhonig</li>')
    const allergen = with_({ ingredients: [{ name: 'Honig', class: 'other', allergen: 1 }] })
    expect(lines(allergen)).toEqual(expect.arrayContaining(['<b>Honig</b>', 'Enthält: <b>Honig</b>']))
  })

  test('leaves out parts that the label does not have', () => {
    const page = labelPage(smallLabel, 'de')
    for (const part of ['Zutaten', 'Nährwert', 'Recycling', 'Jahrgang', 'Alkohol', 'null', 'undefined', 'kJ'])
      expect(page).not.toContain(part)
  })

  test('shows a nutrient as an amount, or among the negligible nutrients, not as both', () => {
    const grams = { fat: '0.1', saturates: '0.1', carbohydrate: '2.5', sugars: '0.9', protein: '0.1', salt: '0.01' }
    const rows = (negligible: (typeof nutrientKeys)[number][]) =>
      lines(with_({ nutrition: { ...label.nutrition, ...grams, negligible } }))
    expect(rows([])).toEqual(expect.arrayContaining(['Fett', 'davon gesättigte Fettsäuren', '0,01 g']))
    expect(rows(['salt'])).not.toContain('Salz')
    expect(rows(['salt'])).toContain('Enthält geringfügige Mengen von Salz')
  })

  test.each([
    ['0.375', '375 ml'],
    ['0.750', '750 ml'],
    ['1.000', '1 l'],
    ['1.500', '1,5 l'],
  ])('says %s litres as %s', (bottlesize, text) => {
    expect(lines(with_({ bottlesize }))).toContain(text)
  })
})

describe.each(labelLanguages)('the page in %s', language => {
  const page = labelPage(label, language)
  const terms = termsIn(language)

  test('is in this language, and links all others', () => {
    expect(page).toContain(`<html lang="${language}">`)
    for (const heading of [terms.headings.ingredients, terms.headings.nutrition, terms.nutrients.energy])
      expect(page).toContain(heading)
    const links = [...page.matchAll(/<a href="\?lang=(\w\w)" lang="\1" hreflang="\1"( aria-current="page")?>([^<]+)</g)]
    expect(links.map(([, code]) => code)).toEqual(labelLanguages)
    expect(links.filter(([, , current]) => current).map(([, code]) => code)).toEqual([language])
  })

  test('leaves no place of a term unfilled', () => {
    const whole = {
      ingredients: allKeys,
      packaging: packagingParts.map(part => ({ part, material: 'GL 70' as const })),
    }
    expect(labelPage(with_(whole), language)).not.toMatch(/\{(name|value|list)\}|undefined|\[object/)
  })

  test('has the pages of missing and withdrawn labels, which say nothing about a wine', () => {
    expect(missingPage(language, 'not_found')).toContain(terms.sentences.not_found)
    expect(missingPage(language, 'withdrawn')).toContain(terms.sentences.withdrawn)
  })
})

describe('the page has at most 20,000 bytes', () => {
  // A sign that HTML writes with five.
  const signs = (count: number) => '&'.repeat(count)
  const named = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ name: `${n}`.padStart(length, '&'), class: 'preservative', enumber: 'E 1234a', allergen: 1 },
    }))
  const rest = {
    packaging: Array.from({ length: 20 }, () => ({ part: 'beverage_carton', material: 'C/LDPE 90' })),
    operator: { role: 'bottled_for', name: signs(255), address: signs(255) },
  }

  test.each([
    ['own names that are as long as may be', named(5, 100)],
    ['as many own names as may be', named(40, 12)],
    ['as many ingredients of the table as may be', allKeys.slice(0, 40)],
    ['other ingredients of the table', allKeys.slice(-40)],
    ['both', [...allKeys.slice(0, 20), ...named(20, 25)]],
  ])('in every language, with %s', (_, ingredients) => {
    const facts = v.parse(GivenFacts, { ...rest, ingredients })
    const largest = with_({ ...(facts as Partial<Label>), name: signs(255) })
    for (const language of labelLanguages)
      expect([language, Buffer.byteLength(labelPage(largest, language)) <= 20_000]).toEqual([language, true])
  })

  test('since facts with more ingredients or longer names are refused', () => {
    const isAccepted = (ingredients: object[]) => v.safeParse(GivenFacts, { ingredients }).success
    expect([named(40, 12), named(41, 12), named(5, 100), named(5, 101)].map(isAccepted)).toEqual([
      true,
      false,
      true,
      false,
    ])
    const translated = named(5, 100).map(one => ({ ...one, names: { fr: signs(101) } }))
    expect(isAccepted(translated)).toBe(false)
  })
})

describe('the page collects nothing and leads nowhere', () => {
  const page = labelPage(label, 'de')

  test('it has neither script, form, picture, cookie nor a link to anything but itself', () => {
    expect(page).not.toMatch(
      /<(script|form|img|iframe|link|input|object|svg|video|base)\b|\son\w+=|https?:|\/\/|url\(|@import/,
    )
    expect(
      [...page.matchAll(/(?:href|src)="([^"]*)"/g)].filter(([, target]) => !/^\?lang=\w\w$/.test(target ?? '')),
    ).toEqual([])
  })

  test('its policy allows its own style alone, by its digest', () => {
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    expect(labelPolicy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${digest}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(page).not.toMatch(/\sstyle=/)
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</style><script>x</script>',
    '{list} {name} $& $1 &amp; <!--',
  ])('a name such as %s is text', hostile => {
    const page = labelPage(
      with_({
        name: hostile,
        ingredients: [{ name: hostile, class: 'preservative', allergen: 1 }],
        operator: { role: 'bottled_by', name: hostile, address: hostile },
      }),
      'en',
    )
    const escaped = hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const quoted = escaped.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    expect(page.split(quoted)).toHaveLength(7)
    expect(page).not.toContain('<script')
    expect([...page.matchAll(/<\/?style>/g)]).toHaveLength(2)
  })
})

describe('the language of a page', () => {
  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.5', 'en'],
    ['ja,zh;q=0.9,pl;q=0.1', 'pl'],
    ['en;q=0.2, fr;q=0.7, *;q=0.5', 'fr'],
    ['EL-gr', 'el'],
    ['it;q=1.0, es', 'it'],
    [' en ; q=0.3 , nl ; q=0.4 ', 'nl'],
    ['fr;level=1;q=0.4, da;q=0.3', 'fr'],
    ['', 'de'],
    ['*', 'de'],
    ['ja', 'de'],
    ['en;q=0', 'de'],
    ['deu, engl, e', 'de'],
    ['en;q=high, fr;q=2, es;q=-1, it;q=', 'de'],
    ['__proto__, constructor, length', 'de'],
    [';;;,,,;q=1,q=1;en', 'de'],
  ])('of Accept-Language %s is %s', (header, language) => {
    expect(preferredLanguage(header, labelLanguages)).toBe(language)
  })

  test('is found in as long a header as the gateway lets through', () => {
    expect(preferredLanguage(`${'en;q=0.1,'.repeat(1000)}fr;q=0.2`, labelLanguages)).toBe('fr')
  })
})
