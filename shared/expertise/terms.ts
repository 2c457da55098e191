import type { Language } from './labels.ts'

/** A term in German and English. */
export type Term = readonly [german: string, english: string]

/** Picks a term's word in a language; null when the table has no such term. */
export const wordFor = (term: Term | undefined, language: Language): string | null =>
  term?.[language === 'en' ? 1 : 0] ?? null

/** Wine types by their key; `general` says nothing and has no word. */
export const types: Readonly<Record<string, Term>> = {
  red: ['Rotwein', 'Red wine'],
  white: ['Weißwein', 'White wine'],
  rose: ['Rosé', 'Rosé'],
  rotling: ['Rotling', 'Rotling'],
  secco: ['Secco', 'Secco'],
  sparkling: ['Schaumwein', 'Sparkling wine'],
  destilate: ['Destillat', 'Spirit'],
  grapeJuice: ['Traubensaft', 'Grape juice'],
  wineBasedDrink: ['Weinhaltiges Getränk', 'Wine-based drink'],
  spritzer: ['Weinschorle', 'Wine spritzer'],
  vingris: ['Vin Gris', 'Vin gris'],
  nonAlcoholic: ['Alkoholfreier Wein', 'Alcohol-free wine'],
  mulledWine: ['Glühwein', 'Mulled wine'],
}

/** Tastes by taste_id. */
export const tastes: Readonly<Record<number, Term>> = {
  1: ['trocken', 'dry'],
  2: ['halbtrocken', 'half-dry'],
  3: ['feinherb', 'off-dry'],
  4: ['lieblich', 'semi-sweet'],
  5: ['mild', 'mild'],
  6: ['süß', 'sweet'],
  7: ['edelsüß', 'noble sweet'],
  8: ['brut nature', 'brut nature'],
  9: ['brut', 'brut'],
  10: ['extra brut', 'extra brut'],
  11: ['feinfruchtig', 'delicately fruity'],
  12: ['extra trocken', 'extra dry'],
  13: ['brut zero', 'brut zero'],
  14: ['trocken (sec)', 'dry (sec)'],
  15: ['halbtrocken (demi-sec)', 'demi-sec'],
}

/** The 14 allergens of EU Regulation 1169/2011, annex II, by their number there. */
export const allergens: Readonly<Record<number, Term>> = {
  1: ['Gluten', 'gluten'],
  2: ['Krebstiere', 'crustaceans'],
  3: ['Eier', 'eggs'],
  4: ['Fische', 'fish'],
  5: ['Erdnüsse', 'peanuts'],
  6: ['Soja', 'soybeans'],
  7: ['Milch', 'milk'],
  8: ['Schalenfrüchte', 'nuts'],
  9: ['Sellerie', 'celery'],
  10: ['Senf', 'mustard'],
  11: ['Sesam', 'sesame'],
  12: ['Sulfite', 'sulphites'],
  13: ['Lupinen', 'lupin'],
  14: ['Weichtiere', 'molluscs'],
}

/** Bottling types by key; a purchased wine's bottling is the merchant's affair and has no word. */
export const bottlings: Readonly<Record<string, Term>> = {
  producer: ['Erzeugerabfüllung', 'Producer bottled'],
  bottler: ['durch den Abfüller', 'by the bottler'],
  estate: ['Gutsabfüllung', 'Estate bottled'],
  castle: ['Schlossabfüllung', 'Château bottled'],
}

/** Closures by key. */
export const caps: Readonly<Record<string, Term>> = {
  screw: ['Schraubverschluss', 'Screw cap'],
  cork: ['Korken', 'Cork'],
  crownCap: ['Kronkorken', 'Crown cap'],
  plastic: ['Kunststoffkorken', 'Synthetic cork'],
  glas: ['Glasverschluss', 'Glass stopper'],
}

/** Names of the German wine regions by id; other countries' regions have none here. */
export const regions: Readonly<Record<number, string>> = {
  1000: 'Ahr',
  1001: 'Baden',
  1002: 'Franken',
  1003: 'Hessische Bergstraße',
  1004: 'Mittelrhein',
  1005: 'Mosel',
  1006: 'Nahe',
  1007: 'Pfalz',
  1008: 'Rheingau',
  1009: 'Rheinhessen',
  1010: 'Saale-Unstrut',
  1011: 'Sachsen',
  1012: 'Württemberg',
  1013: 'Niedersachsen',
}
