import type { ListedWine } from '../../lib/shop/records.ts'
import { facetsOf, parseQuery } from '../../lib/shop/search/query-filters.ts'
import { distance, respellings, vocabularyOf } from '../../lib/shop/search/spelling.ts'

const wine = (more: Partial<ListedWine>): ListedWine => ({
  ...{ id: 1, name: 'Wein', path_segment: 'wein', image: null, vintage: null, type: 'red', countrycode: 'de' },
  ...{ region: 1005, place: null, taste_id: null, quality: null, alcohol: null, bottlesize: '0.750', bio: 0, vegan: 0 },
  ...{ winery_id: null, topseller: 0, nostock: 0, grapetypeIds: [], gross: '9.90', taxrate: 19, winery: null },
  ...{ base_price: null, min_age: 16 },
  ...more,
})

const cellar = [
  wine({ type: 'white', grapetypeIds: [129], taste_id: 1, quality: 'cabinet', vintage: 2021 }),
  wine({ type: 'red', grapetypeIds: [135], countrycode: 'fr', region: 2002, taste_id: 1 }),
  wine({ type: 'red', grapetypeIds: [17], region: 1000, taste_id: 6, bio: 1 }),
  wine({ type: 'sparkling', countrycode: 'fr', region: 2004, taste_id: 14, grapetypeIds: [395] }),
  wine({ type: 'rose', countrycode: 'it', region: 6016, grapetypeIds: [502], vegan: 1 }),
  wine({ type: 'red', countrycode: 'au', region: 15001, grapetypeIds: [122, 137] }),
  wine({ type: 'white', countrycode: 'at', region: 8002, grapetypeIds: [136], quality: 'spaetlese' }),
]
const sold = facetsOf(cellar)

describe('words become filters by facet values:', () => {
  const pinot = { grapetypeIds: ['17', '135'] }
  test.each([
    // Countries, in both languages, as nouns and adjectives.
    ['italien', { countrycode: ['it'] }],
    ['Italy', { countrycode: ['it'] }],
    ['italienischer', { countrycode: ['it'] }],
    ['frankreich', { countrycode: ['fr'] }],
    ['österreich', { countrycode: ['at'] }],
    ['oesterreich', { countrycode: ['at'] }],
    // Types.
    ['rotwein', { type: ['red'] }],
    ['Rotweine', { type: ['red'] }],
    ['red wine', { type: ['red'] }],
    ['weisswein', { type: ['white'] }],
    ['Rosé', { type: ['rose'] }],
    ['sekt', { type: ['sparkling'] }],
    ['Schaumweine', { type: ['sparkling'] }],
    // Tastes: "sec (trocken)" has the word as a part of its name, "trocken" as its name.
    ['trocken', { taste_id: ['1'] }],
    ['trockene', { taste_id: ['1'] }],
    ['dry', { taste_id: ['1'] }],
    ['sec', { taste_id: ['14'] }],
    ['süss', { taste_id: ['6'] }],
    // Regions come with their country.
    ['bordeaux', { countrycode: ['fr'], region: ['2002'] }],
    ['champagner', { countrycode: ['fr'], region: ['2004'] }],
    ['Tuscany', { countrycode: ['it'], region: ['6016'] }],
    ['kamptal', { countrycode: ['at'], region: ['8002'] }],
    // Grapes, by every name of theirs.
    ['riesling', { grapetypeIds: ['129'] }],
    ['blauburgunder', pinot],
    ['Spätburgunder', pinot],
    ['spaetburgunder', pinot],
    ['pinot noir', pinot],
    ['shiraz', { grapetypeIds: ['122', '137'] }],
    ['Ruländer', { grapetypeIds: ['136'] }],
    // Qualities, of the countries that have wines of them.
    ['kabinett', { countrycode: ['de'], quality: ['cabinet'] }],
    ['Spätlese', { countrycode: ['at'], quality: ['spaetlese'] }],
    ['bio', { bio: ['1'] }],
    ['vegan', { vegan: ['1'] }],
    ['2021', { vintage: ['2021'] }],
  ])('%s', (text, filter) => {
    expect(parseQuery(text, sold)).toEqual({ filter, rest: '' })
  })

  test('several words in one text, and the remaining words stay as they were typed', () => {
    expect(parseQuery('trockener Rotwein aus Italien', sold)).toEqual({
      filter: { taste_id: ['1'], type: ['red'], countrycode: ['it'] },
      rest: '',
    })
    expect(parseQuery('riesling, Ürziger Würzgarten trocken', sold)).toEqual({
      filter: { grapetypeIds: ['129'], taste_id: ['1'] },
      rest: 'Ürziger Würzgarten',
    })
    expect(parseQuery("Château d'Issan bordeaux Blason", sold).rest).toBe("Château d'Issan Blason")
    expect(parseQuery('rosé rotwein', sold).filter).toEqual({ type: ['rose', 'red'] })
  })

  test('but not values without wines, parts of words, or unknown words', () => {
    for (const text of [
      'chile',
      'mosel-saar',
      'riesl',
      'rotweinglas',
      'Wein aus der Flasche',
      'châteauneuf',
      '2020',
      '',
    ])
      expect(parseQuery(text, facetsOf(cellar.slice(1)))).toEqual({ filter: {}, rest: text })
  })
})

describe('a misspelled word', () => {
  const vocabulary = vocabularyOf([...cellar, wine({ name: 'Würzgarten', winery: { name: 'Château Margaux' } })], sold)

  test.each([
    ['reisling', 'Riesling'],
    ['Bordaux', 'Bordeaux'],
    ['italein', 'Italien'],
    ['würtzgarten', 'Würzgarten'],
    ['margeaux', 'Margaux'],
    ['spätburgnder', 'Spätburgunder'],
    ['reisling, italein', 'Riesling, Italien'],
    ['guter reisling', 'guter Riesling'],
  ])('%s is corrected to %s', (text, right) => {
    expect(respellings(text, vocabulary)[0]).toBe(right)
  })

  test('stays if no word of the shop is near, if it is too short, or if it is correct', () => {
    for (const text of ['xylophon', 'ahn', 'chile', 'riesling', 'RIESLING', 'chateau', 'spaetburgunder', '20212', ''])
      expect([text, respellings(text, vocabulary)]).toEqual([text, []])
  })

  test('is dropped if it is unknown, and then the words from the end', () => {
    expect(respellings('reisling xqz', vocabulary)).toEqual(['Riesling xqz', 'Riesling'])
    expect(respellings('riesling xqz margeaux', vocabulary)).toEqual([
      ...['riesling xqz Margaux', 'riesling Margaux', 'riesling'],
    ])
    expect(respellings('riesling italien', vocabulary)).toEqual(['riesling'])
    expect(respellings('xylophon '.repeat(500), vocabulary)).toHaveLength(1)
  })

  test('differs by inserted, deleted, substituted and swapped letters', () => {
    const pairs = [
      ['riesling', 'riesling', 0],
      ['reisling', 'riesling', 1],
      ['rieslng', 'riesling', 1],
      ['rieslling', 'riesling', 1],
      ['riezling', 'riesling', 1],
      ['reislign', 'riesling', 2],
      ['a', 'abcd', 3],
      ['abc', 'xyz', 3],
    ] as const
    for (const [one, other, far] of pairs)
      expect([one, distance(one, other, 2), distance(other, one, 2)]).toEqual([one, far, far])
  })
})
