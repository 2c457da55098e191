/** The analysis of a wine whose energy is 294 kJ and 71 kcal with these facts. */
export const analysis = { alcohol: '12.0', sweetness: '3.0', acid: '6.0' }

/** Facts that a label needs. */
export const facts = {
  ingredients: [{ key: 'grapes' }, { key: 'sulphites' }],
  nutrition: { glycerol: '7.0', negligible: ['fat', 'saturates', 'protein', 'salt'] },
  packaging: [{ part: 'bottle', material: 'GL 71' }],
  operator: { role: 'bottled_by', name: 'Weingut Etikett', address: 'Hauptstraße 1, 54470 Bernkastel' },
}

/** The same with alternatives, and with an ingredient that the table lacks. */
export const variedFacts = {
  ...facts,
  ingredients: [
    { key: 'grapes' },
    { key: 'tartaric_acid', and_or: 1 },
    { key: 'malic_acid', and_or: 1 },
    { key: 'sulphites' },
    { name: 'Eichenholz', class: 'other', names: { en: 'Oak wood' } },
  ],
}
