import { isQualityOf } from '../../../shared/contract/labels/labels.ts'
import type { Style } from './style.ts'
import type { XWine } from './xwines.ts'

type Naming = (wine: XWine, style: Style) => string | null
type Rule = readonly [pattern: RegExp, quality: string]

const firstOf = (rules: readonly Rule[], text: string): string | undefined =>
  rules.find(([pattern]) => pattern.test(text))?.[1]

const germanRules: readonly Rule[] = [
  [/\bGG\b/, 'vdpGrossesGewaechs'],
  [/Trockenbeerenauslese/, 'trockenbeerenauslese'],
  [/Beerenauslese/, 'beerenauslese'],
  [/Eiswein/, 'icewine'],
  [/Auslese/, 'selection'],
  [/Spätlese/, 'spaetlese'],
  [/Kabinett/, 'cabinet'],
  // "Malterdinger Spätburgunder" names its village, "Malterdinger Bienenberg …" a site as well.
  [/(?<!\p{L})(?!Blauer|Spätburgunder)\p{Lu}\p{L}+er (Spätburgunder|Riesling)/u, 'local'],
  [/(?<!\p{L})(?!Blauer|Spätburgunder|Lemberger)\p{Lu}\p{L}+er (?!Trocken)\p{Lu}/u, 'singlesite'],
]
const german: Naming = ({ name }, { type }) =>
  type === 'sparkling' ? 'champagneSpecificRegion' : (firstOf(germanRules, name) ?? 'origin')

const isDac = /^(Kamptal|Südsteiermark)$/
const austrian: Naming = ({ regionName }) => (isDac.test(regionName) ? 'dac' : 'quality')

const frenchRules: readonly Rule[] = [
  [/^Vin de France$/, 'country'],
  [/^(Méditerranée|Côtes de Gascogne|Languedoc-Roussillon|Upper Loire)$/, 'igp'],
]
const italianRules: readonly Rule[] = [
  [/^Vino d'Italia$/, 'country'],
  [/^(Toscana|Costa Toscana|Salento|Puglia|Marche|Rubicone|Veneto|Emilia-Romagna)$/, 'igp'],
  [/^Vin Santo/, 'doc'],
  [/^(Barolo|Barbaresco|Brunello|Gavi|Asti|Moscato d'Asti|Barbera d'Asti|Brachetto d'Acqui)/, 'docg'],
  [/^(Chianti|Amarone|Recioto|Conegliano|Greco di Tufo|Fiano di Avellino)/, 'docg'],
]
const spanishRules: readonly Rule[] = [
  [/^Vino de España$/, 'table'],
  [/^Castilla$/, 'igp'],
  [/^(Rioja|Priorat)$/, 'doca'],
]
const portugueseRules: readonly Rule[] = [[/^(Porto|Douro|Vinho Verde|Bairrada|Alentejo)$/, 'doc']]

const notCalifornian =
  /Rhode Island|Columbia|Willamette|Washington|Eola|Dundee|Finger Lakes|Wisconsin|Horse Heaven|Virginia|New Mexico|Texas|Red Mountain/

const byCountry: ReadonlyMap<string, Naming> = new Map<string, Naming>([
  ['de', german],
  ['at', austrian],
  ['fr', ({ regionName }) => firstOf(frenchRules, regionName) ?? 'aop'],
  ['it', ({ regionName }) => firstOf(italianRules, regionName) ?? 'doc'],
  ['es', ({ regionName }) => firstOf(spanishRules, regionName) ?? 'do'],
  ['pt', ({ regionName }) => firstOf(portugueseRules, regionName) ?? 'vr'],
  ['cl', ({ name }) => (/Gran Reserva/i.test(name) ? 'reserva' : 'country')],
  ['za', () => 'origin'],
  ['us', ({ regionName }) => (notCalifornian.test(regionName) ? null : 'california')],
  ['ar', () => 'country'],
  ['au', () => 'country'],
])

/** The quality, by region name (in Germany by wine name); none for spirits and where the country has no table. */
export const qualityOf = (wine: XWine, style: Style): string | null => {
  const quality = style.type === 'destilate' ? null : (byCountry.get(wine.countrycode)?.(wine, style) ?? null)
  if (quality !== null && !isQualityOf(wine.countrycode, quality)) {
    throw new RangeError(`${wine.countrycode} has no quality ${quality}`)
  }
  return quality
}
