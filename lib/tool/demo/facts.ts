import type { IngredientKey, MaterialCode, PackagingPart } from '../../../shared/contract/labels/label-tables.ts'
import type { Ingredient } from '../../../shared/contract/records/facts.ts'
import { memberStates } from '../../../shared/contract/vocabulary.ts'
import type { FiledFacts } from '../imports/facts.ts'
import type { WineRow } from '../imports/wine-writes.ts'
import { demoSettingsOf } from './settings.ts'
import { lot, type XWine } from './xwines.ts'

// Facts of the demo's wines; README.md lists the rules. All of them are made up.

type Bottled = Pick<WineRow, 'type' | 'countrycode' | 'vintage' | 'cap' | 'bio' | 'winery' | 'topseller'>

const mayBeAny = (...keys: IngredientKey[]): Ingredient[] => keys.map(key => ({ key, and_or: 1 }))

const ingredientsOf = ({ id, abv }: XWine, { type, bio }: Bottled): Ingredient[] => [
  { key: 'grapes' },
  ...(type === 'sparkling' ? ([{ key: 'tirage_liqueur' }, { key: 'expedition_liqueur' }] as const) : []),
  ...(abv >= 16 ? ([{ key: 'grape_distillate' }] as const) : []),
  ...(bio === 0 && lot(id, 367) < 0.5 ? mayBeAny('tartaric_acid', 'lactic_acid') : []),
  { key: 'sulphites' },
  ...(bio === 0 && lot(id, 373) < 0.4 ? mayBeAny('metatartaric_acid', 'carboxymethylcellulose', 'gum_arabic') : []),
  ...(type === 'secco' ? ([{ key: 'carbon_dioxide' }] as const) : []),
  ...(type === 'white' && lot(id, 379) < 0.3 ? ([{ key: 'bottled_in_protective_atmosphere' }] as const) : []),
]

const nutritionOf = ({ id, body }: XWine): FiledFacts => ({
  glycerol: (5 + body + 2 * lot(id, 383)).toFixed(1),
  negligible: ['fat', 'saturates', 'protein', 'salt'],
})

const closures: Readonly<Record<string, [PackagingPart, MaterialCode][]>> = {
  cork: [
    ['cork', 'FOR 51'],
    ['capsule', 'C/ALU 90'],
  ],
  screw: [['screw_cap', 'ALU 41']],
  glas: [['glass_stopper', 'GL 70']],
}

const packagingOf = ({ type, cap }: Bottled): NonNullable<FiledFacts['packaging']> => {
  const parts: [PackagingPart, MaterialCode][] = [
    ['bottle', type === 'rose' ? 'GL 70' : 'GL 71'],
    ...(closures[cap ?? ''] ?? []),
    ...(type === 'sparkling' ? [['wire_cage', 'FE 40'] as [PackagingPart, MaterialCode]] : []),
  ]
  return parts.map(([part, material]) => ({ part, material }))
}

const importer = demoSettingsOf('elbufer')

const bottler = ({ regionName, winery }: XWine): FiledFacts => ({
  operator: winery,
  operator_role: 'bottled_by',
  operator_address: `Hauptstraße 1, ${regionName}`,
})

const operatorOf = (wine: XWine): FiledFacts =>
  memberStates.has(wine.countrycode)
    ? bottler(wine)
    : {
        operator: importer.company ?? null,
        operator_role: 'imported_by',
        operator_address: `${importer.address}, ${importer.zip} ${importer.city}`,
      }

/** The facts of a demo wine; undefined for about a tenth of them. Spirits need an operator alone. */
export const demoFacts = (wine: XWine, row: Bottled): FiledFacts | undefined => {
  const operator = operatorOf(wine)
  const share = lot(wine.id, 631)
  if (row.type === 'destilate') return operator
  const ingredients = ingredientsOf(wine, row)
  const whole = { ...operator, ingredients, ...nutritionOf(wine), packaging: packagingOf(row) }
  if (share < 0.45 || row.topseller === 1) return { ...whole, published: 1 }
  if (share < 0.47) return whole
  if (share < 0.52) return { ...operator, exempt: 1 }
  if (share < 0.74) return { ...operator, ingredients }
  if (share < 0.82) return { ...whole, ingredients: [...ingredients, { name: 'Eichenholz', class: 'other' }] }
  if (share < 0.91) return { ...whole, ...bottler(wine) }
  return undefined
}
