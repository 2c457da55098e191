import { isCuvee, type Style } from './style.ts'
import type { XWine } from './xwines.ts'

/** The languages of the demo wines' descriptions. */
export type DemoLanguage = 'de' | 'en'

const wordings = {
  de: {
    bodies: ['Sehr leichter', 'Leichter', 'Mittelkräftiger', 'Kräftiger', 'Sehr kräftiger'],
    made: 'aus',
    acidities: ['mit milder Säure', 'mit ausgewogener Säure', 'mit lebhafter Säure'],
    blend: 'eine Cuvée',
    pairing: 'Passt zu',
    enumeration: new Intl.ListFormat('de', { type: 'conjunction' }),
  },
  en: {
    bodies: ['Very light', 'Light', 'Medium-bodied', 'Full-bodied', 'Very full-bodied'],
    made: 'made from',
    acidities: ['with gentle acidity', 'with balanced acidity', 'with lively acidity'],
    blend: 'a blend',
    pairing: 'Goes well with',
    enumeration: new Intl.ListFormat('en', { type: 'conjunction' }),
  },
}

/** Dishes in the form that follows "passt zu" and "goes well with". */
const dishes: Readonly<Record<string, Readonly<Record<DemoLanguage, string>>>> = {
  Aperitif: { de: 'Kanapees', en: 'canapés' },
  Appetizer: { de: 'Vorspeisen', en: 'starters' },
  Barbecue: { de: 'Gegrilltem', en: 'barbecues' },
  Beef: { de: 'Rindfleisch', en: 'beef' },
  'Blue Cheese': { de: 'Blauschimmelkäse', en: 'blue cheese' },
  Cake: { de: 'Kuchen', en: 'cake' },
  Cheese: { de: 'Käse', en: 'cheese' },
  Chicken: { de: 'Hähnchen', en: 'chicken' },
  Chocolate: { de: 'Schokolade', en: 'chocolate' },
  Codfish: { de: 'Kabeljau', en: 'cod' },
  'Cold Cuts': { de: 'Aufschnitt', en: 'cold cuts' },
  Cream: { de: 'Cremespeisen', en: 'creamy desserts' },
  'Cured Meat': { de: 'luftgetrocknetem Schinken', en: 'cured ham' },
  Dessert: { de: 'Desserts', en: 'desserts' },
  Duck: { de: 'Ente', en: 'duck' },
  Fish: { de: 'Fisch', en: 'fish' },
  'French Fries': { de: 'Pommes frites', en: 'French fries' },
  Fruit: { de: 'Obst', en: 'fruit' },
  'Fruit Dessert': { de: 'Fruchtdesserts', en: 'fruit desserts' },
  'Game Meat': { de: 'Wild', en: 'game' },
  'Goat Cheese': { de: 'Ziegenkäse', en: "goat's cheese" },
  Grilled: { de: 'Grillgerichten', en: 'grilled dishes' },
  Ham: { de: 'Schinken', en: 'ham' },
  'Hard Cheese': { de: 'Hartkäse', en: 'hard cheese' },
  Lamb: { de: 'Lamm', en: 'lamb' },
  'Lean Fish': { de: 'magerem Fisch', en: 'lean fish' },
  'Light Stews': { de: 'leichten Eintöpfen', en: 'light stews' },
  'Maturated Cheese': { de: 'gereiftem Käse', en: 'matured cheese' },
  Mushrooms: { de: 'Pilzen', en: 'mushrooms' },
  Pasta: { de: 'Pasta', en: 'pasta' },
  Pizza: { de: 'Pizza', en: 'pizza' },
  Pork: { de: 'Schweinefleisch', en: 'pork' },
  Poultry: { de: 'Geflügel', en: 'poultry' },
  'Rich Fish': { de: 'kräftigem Fisch', en: 'rich fish' },
  Risotto: { de: 'Risotto', en: 'risotto' },
  Salad: { de: 'Salat', en: 'salad' },
  Seafood: { de: 'Meeresfrüchten', en: 'seafood' },
  Shellfish: { de: 'Krustentieren', en: 'shellfish' },
  Snack: { de: 'kleinen Häppchen', en: 'small snacks' },
  'Soft Cheese': { de: 'Weichkäse', en: 'soft cheese' },
  Soufflé: { de: 'Soufflé', en: 'soufflé' },
  'Spicy Food': { de: 'würzigen Gerichten', en: 'spicy dishes' },
  'Sweet Dessert': { de: 'süßen Desserts', en: 'sweet desserts' },
  'Tomato Dishes': { de: 'Tomatengerichten', en: 'tomato dishes' },
  Veal: { de: 'Kalbfleisch', en: 'veal' },
  Vegetarian: { de: 'vegetarischen Gerichten', en: 'vegetarian dishes' },
}

const dishOf = (word: string, language: DemoLanguage): string => {
  const dish = dishes[word]
  if (!dish) throw new RangeError(`no words for ${word}`)
  return dish[language]
}

/** A wine in two sentences: its kind, body, grapes and acidity, and what it goes with. */
export const description = (wine: XWine, { type, kind }: Style, language: DemoLanguage): string => {
  const { bodies, made, acidities, blend, pairing, enumeration } = wordings[language]
  const grapes = enumeration.format(wine.grapes)
  const acidity = type === 'destilate' ? '' : ` ${acidities[wine.acidity]}`
  const cuvee = isCuvee(wine) ? `, ${blend}` : ''
  const dishes = enumeration.format(wine.harmonize.map(word => dishOf(word, language)))
  return `${bodies[wine.body]} ${kind[language]} ${made} ${grapes}${acidity}${cuvee}.${dishes && ` ${pairing} ${dishes}.`}`
}

/** The note of a demo wine that is sold out. */
export const soldOut: Readonly<Record<DemoLanguage, string>> = {
  de: 'Ausverkauft, der nächste Jahrgang ist bestellt.',
  en: 'Sold out; the next vintage is on order.',
}
