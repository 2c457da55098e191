import { demos } from '../../lib/tool/demo/credentials.ts'
import { demoSettingsOf, demoWinesOf } from '../../lib/tool/demo/records.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import {
  type Labels,
  type Language,
  labelOf,
  labels,
  languages,
  regionName,
} from '../../shared/contract/labels/labels.ts'
import { paymentTypes } from '../../shared/contract/vocabulary.ts'

test('every id and word of a demo wine has a label in every language', () => {
  const qualities: Readonly<Record<string, Labels>> = labels.qualitytypes
  const namesOf = (wine: WineRow, language: Language) => [
    labelOf(labels.countries, wine.countrycode, language),
    regionName(wine.countrycode, wine.region, language),
    labelOf(labels.winetypes, wine.type, language),
    ...(wine.quality ? [labelOf(qualities[wine.countrycode], wine.quality, language)] : []),
    ...(wine.taste_id ? [labelOf(labels.tastes, wine.taste_id, language)] : []),
    ...(wine.bottling_type ? [labelOf(labels.bottlingtypes, wine.bottling_type, language)] : []),
    ...(wine.grapetypeIds ?? []).map(id => labelOf(labels.grapetypes, id, language)),
    ...(wine.allergenIds ?? []).map(id => labelOf(labels.allergens, id, language)),
  ]
  const bare = demoWinesOf('elbufer').filter(wine => !languages.every(one => namesOf(wine, one).every(Boolean)))
  expect(bare.map(({ articlenumber }) => articlenumber)).toEqual([])
})

test('the demo merchants accept every payment type', () => {
  for (const demo of demos) expect(demoSettingsOf(demo).payment_types?.toSorted()).toEqual([...paymentTypes].toSorted())
})
