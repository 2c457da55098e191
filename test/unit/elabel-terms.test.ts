import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  classKeys,
  collections,
  ingredientClasses,
  ingredientKeys,
  ingredients,
  type LabelLanguage,
  labelLanguages,
  materialCodes,
  nutrientKeys,
  operatorRoles,
  packagingMaterials,
  packagingParts,
} from '../../shared/contract/labels/label-tables.ts'
import { allergenIds, labelOf, labels, wineTypes } from '../../shared/contract/labels/labels.ts'
import { type Terms, termsIn } from '../../shared/documents/elabels/terms.ts'

/** All terms of a language, by their path such as `nutrients.fat`. */
const termsByPath = (value: object, above = ''): [path: string, term: string][] =>
  Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'object' ? termsByPath(one, `${above}${key}.`) : [[`${above}${key}`, one]],
  )

const english = termsByPath(termsIn('en'))
const others = labelLanguages.filter(language => language !== 'en')

/** The placeholders of a text, sorted. */
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

/** The headings of Annex XV of Regulation (EU) 1169/2011 and of Article 9, as its language versions write them. */
const official: Record<LabelLanguage, readonly [ingredients: string, fat: string, protein: string, salt: string]> = {
  bg: ['Съставки', 'Мазнини', 'Белтъци', 'Сол'],
  cs: ['Složky', 'Tuky', 'Bílkoviny', 'Sůl'],
  da: ['Ingredienser', 'Fedt', 'Protein', 'Salt'],
  de: ['Zutaten', 'Fett', 'Eiweiß', 'Salz'],
  el: ['Συστατικά', 'Λιπαρά', 'Πρωτεΐνες', 'Αλάτι'],
  en: ['Ingredients', 'Fat', 'Protein', 'Salt'],
  es: ['Ingredientes', 'Grasas', 'Proteínas', 'Sal'],
  et: ['Koostisosad', 'Rasvad', 'Valgud', 'Sool'],
  fi: ['Ainesosat', 'Rasva', 'Proteiini', 'Suola'],
  fr: ['Ingrédients', 'Matières grasses', 'Protéines', 'Sel'],
  ga: ['Comhábhair', 'Saill', 'Próitéin', 'Salann'],
  hr: ['Sastojci', 'Masti', 'Bjelančevine', 'Sol'],
  hu: ['Összetevők', 'Zsír', 'Fehérje', 'Só'],
  it: ['Ingredienti', 'Grassi', 'Proteine', 'Sale'],
  lt: ['Sudedamosios dalys', 'Riebalai', 'Baltymai', 'Druska'],
  lv: ['Sastāvdaļas', 'Tauki', 'Olbaltumvielas', 'Sāls'],
  mt: ['Ingredjenti', 'Xaħam', 'Proteini', 'Melħ'],
  nl: ['Ingrediënten', 'Vetten', 'Eiwitten', 'Zout'],
  pl: ['Składniki', 'Tłuszcz', 'Białko', 'Sól'],
  pt: ['Ingredientes', 'Lípidos', 'Proteínas', 'Sal'],
  ro: ['Ingrediente', 'Grăsimi', 'Proteine', 'Sare'],
  sk: ['Zložky', 'Tuky', 'Bielkoviny', 'Soľ'],
  sl: ['Sestavine', 'Maščobe', 'Beljakovine', 'Sol'],
  sv: ['Ingredienser', 'Fett', 'Protein', 'Salt'],
}

test('there is one file of terms for each language', () => {
  const folder = join(import.meta.dirname, '../../shared/contract/labels/elabel')
  const files = readdirSync(folder).map(file => file.replace('.json', ''))
  expect(files.toSorted()).toEqual(labelLanguages.toSorted())
  expect(labelLanguages).toHaveLength(24)
})

describe.each(labelLanguages)('%s', language => {
  const terms = termsIn(language)
  const paths = termsByPath(terms)

  test('has the keys of English in their order, and each term says something', () => {
    expect(paths.map(([path]) => path)).toEqual(english.map(([path]) => path))
    expect(paths.filter(([, term]) => term === '' || term !== term.normalize('NFC').trim())).toEqual([])
  })

  test('has the placeholders of English', () => {
    expect(paths.map(([path, term]) => [path, placeholders(term)])).toEqual(
      english.map(([path, term]) => [path, placeholders(term)]),
    )
  })

  test('has the words of Regulation (EU) 1169/2011', () => {
    const { headings, nutrients } = terms
    expect([headings.ingredients, nutrients.fat, nutrients.protein, nutrients.salt]).toEqual(official[language])
  })

  test('uses the letters of the language', () => {
    const script = { bg: 'Cyrillic', el: 'Greek' }[language as string] ?? 'Latin'
    const other = new RegExp(`(?!\\p{Script=${script}})\\p{Letter}`, 'u')
    // Placeholders, the unit and the letter of L-ascorbic acid are the same in all scripts.
    const neutral = /\{\w+\}|\bml\b|\bL-/g
    expect(paths.filter(([, term]) => other.test(term.replace(neutral, '')))).toEqual([])
  })
})

/** The terms that a language rightly shares with English, beside names of kinds of wine. */
const shared: Partial<Record<LabelLanguage, readonly string[]>> = {
  cs: ['antioxidant', 'argon'],
  da: ['antioxidant', 'argon', 'carboxymethylcellulose', 'lupin', 'metal', 'protein', 'salt'],
  de: ['recycling', 'rosé'],
  es: ['alcohol', 'metal'],
  fi: ['argon'],
  fr: ['argon', 'caramel', 'lupin', 'provenance', 'textile'],
  ga: ['mustard'],
  hr: ['argon', 'metal'],
  hu: ['argon'],
  it: ['argon', 'per 100 ml'],
  mt: ['argon'],
  nl: ['alcohol', 'antioxidant', 'argon', 'capsule', 'carboxymethylcellulose', 'per 100 ml', 'water'],
  pl: ['argon', 'importer', 'metal'],
  pt: ['metal'],
  ro: ['antioxidant', 'argon', 'caramel', 'lupin', 'metal', 'per 100 ml', 'plastic', 'textile'],
  sk: ['antioxidant'],
  sl: ['argon'],
  sv: ['argon', 'lupin', 'per 100 ml', 'protein', 'salt'],
}

test('no term is left in English', () => {
  for (const language of others) {
    const equal = termsByPath(termsIn(language)).filter(
      ([path, term], n) => path !== 'sentences.pair' && term === english[n]?.[1],
    )
    const terms = new Set(equal.map(([, term]) => term.toLowerCase()))
    const known = ['rotling', 'vin gris', ...(shared[language] ?? [])]
    expect([language, [...terms].filter(term => !known.includes(term))]).toEqual([language, []])
  }
})

test('two ingredients of a language have two names', () => {
  for (const language of labelLanguages) {
    const names = Object.values(termsIn(language).ingredients)
    expect([language, names.filter((name, n) => names.indexOf(name) !== n)]).toEqual([language, []])
  }
})

test('the terms name exactly the keys of the tables', () => {
  const keysOf = (part: keyof Terms): string[] => Object.keys(termsIn('en')[part])
  expect(keysOf('ingredients')).toEqual(ingredientKeys)
  expect(keysOf('classes')).toEqual(classKeys.filter(key => ingredientClasses[key].prefix))
  expect(keysOf('nutrients')).toEqual(['energy', ...nutrientKeys])
  expect(keysOf('amounts')).toEqual(nutrientKeys)
  expect(keysOf('allergens').map(Number)).toEqual(allergenIds)
  expect(keysOf('types')).toEqual(wineTypes)
  expect(keysOf('roles')).toEqual(operatorRoles)
  expect(keysOf('parts')).toEqual(packagingParts)
  expect(keysOf('collections')).toEqual(collections)
})

// The interface calls each sparkling wine Sekt. On a label this is the name of quality sparkling wine alone.
test.each(['de', 'en'] as const)('allergens and types have the names of the labels in %s', language => {
  const { allergens, types } = termsIn(language)
  for (const [id, name] of Object.entries(allergens))
    expect(name.toLowerCase()).toBe(labelOf(labels.allergens, id, language)?.toLowerCase())
  const ofWines = { ...types, ...(language === 'de' && { sparkling: 'Sekt' }) }
  for (const [type, name] of Object.entries(ofWines)) expect(name).toBe(labelOf(labels.winetypes, type, language))
})

test('every ingredient has a class, and its allergen is one of the allergens', () => {
  const order = ingredientKeys.map(key => classKeys.indexOf(ingredients[key].class))
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(order).not.toContain(-1)
  for (const key of ingredientKeys) expect([...allergenIds, undefined]).toContain(ingredients[key].allergen)
  expect(ingredients.milk_casein).toEqual({ class: 'clarification_agent', allergen: 7 })
})

test('each E number is well formed and belongs to one ingredient', () => {
  const enumbers = ingredientKeys.flatMap(key => ingredients[key].enumber ?? [])
  for (const enumber of enumbers) expect(enumber).toMatch(/^E \d{3,4}$/)
  expect(new Set(enumbers).size).toBe(enumbers.length)
  expect(ingredients.tartaric_acid.enumber).toBe('E 334')
})

test('each material of the packaging has a code of Decision 97/129/EC and a collection', () => {
  for (const code of materialCodes) {
    expect(code).toMatch(/^(?:C\/)?[A-Z]+ \d{1,2}$/)
    expect(collections).toContain(packagingMaterials[code])
  }
  expect([packagingMaterials['GL 70'], packagingMaterials['FOR 51']]).toEqual(['glass', 'wood'])
})
