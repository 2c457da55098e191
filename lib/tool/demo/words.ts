import type { XWine } from './xwines.ts'

const bodies = ['Sehr leichter', 'Leichter', 'Mittelkräftiger', 'Kräftiger', 'Sehr kräftiger']
const acids = ['milder', 'ausgewogener', 'lebhafter']

/** What goes with a wine, as it follows "passt zu". */
const dishes: Readonly<Record<string, string>> = {
  Aperitif: 'Kanapees',
  Appetizer: 'Vorspeisen',
  Barbecue: 'Gegrilltem',
  Beef: 'Rindfleisch',
  'Blue Cheese': 'Blauschimmelkäse',
  Cake: 'Kuchen',
  Cheese: 'Käse',
  Chicken: 'Hähnchen',
  Chocolate: 'Schokolade',
  Codfish: 'Kabeljau',
  'Cold Cuts': 'Aufschnitt',
  Cream: 'Cremespeisen',
  'Cured Meat': 'luftgetrocknetem Schinken',
  Dessert: 'Desserts',
  Duck: 'Ente',
  Fish: 'Fisch',
  'French Fries': 'Pommes frites',
  Fruit: 'Obst',
  'Fruit Dessert': 'Fruchtdesserts',
  'Game Meat': 'Wild',
  'Goat Cheese': 'Ziegenkäse',
  Grilled: 'Grillgerichten',
  Ham: 'Schinken',
  'Hard Cheese': 'Hartkäse',
  Lamb: 'Lamm',
  'Lean Fish': 'magerem Fisch',
  'Light Stews': 'leichten Eintöpfen',
  'Maturated Cheese': 'gereiftem Käse',
  Mushrooms: 'Pilzen',
  Pasta: 'Pasta',
  Pizza: 'Pizza',
  Pork: 'Schweinefleisch',
  Poultry: 'Geflügel',
  'Rich Fish': 'kräftigem Fisch',
  Risotto: 'Risotto',
  Salad: 'Salat',
  Seafood: 'Meeresfrüchten',
  Shellfish: 'Krustentieren',
  Snack: 'kleinen Häppchen',
  'Soft Cheese': 'Weichkäse',
  Soufflé: 'Soufflé',
  'Spicy Food': 'würzigen Gerichten',
  'Sweet Dessert': 'süßen Desserts',
  'Tomato Dishes': 'Tomatengerichten',
  Veal: 'Kalbfleisch',
  Vegetarian: 'vegetarischen Gerichten',
}

const dishOf = (word: string): string => {
  const dish = dishes[word]
  if (!dish) throw new RangeError(`no German word for ${word}`)
  return dish
}

const enumeration = new Intl.ListFormat('de', { type: 'conjunction' })

/** A wine in two German sentences: its kind, body, grapes and acidity, and what it goes with. */
export const germanDescription = (wine: XWine, kind: string, isCuvee: boolean): string => {
  const grapes = enumeration.format(wine.grapes)
  const blend = isCuvee ? ', eine Cuvée' : ''
  const acid = kind === 'Tresterbrand' ? '' : ` mit ${acids[wine.acidity]} Säure`
  const pairing = enumeration.format(wine.harmonize.map(dishOf))
  return `${bodies[wine.body]} ${kind} aus ${grapes}${acid}${blend}.${pairing && ` Passt zu ${pairing}.`}`
}
