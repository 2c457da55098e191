import type { Language } from './labels.ts'
import type { Term } from './terms.ts'
import { wordFor } from './terms.ts'

const same = (word: string): Term => [word, word]

const everywhere: Readonly<Record<string, Term>> = {
  table: ['Tafelwein', 'Table wine'],
  wine: ['Wein', 'Wine'],
  superior: same('Superior'),
  country: ['Landwein', 'Country wine'],
  origin: ['Geschützte Ursprungsbezeichnung (g. U.)', 'Protected designation of origin (PDO)'],
  quality: ['Qualitätswein', 'Quality wine'],
  specialquality: ['Besonderer Qualitätswein', 'Special quality wine'],
  cabinet: same('Kabinett'),
  spaetlese: same('Spätlese'),
  selection: same('Auslese'),
  auslese: same('Auslese'),
  beerenauslese: same('Beerenauslese'),
  trockenbeerenauslese: same('Trockenbeerenauslese'),
  icewine: ['Eiswein', 'Ice wine'],
  strawwine: ['Strohwein', 'Straw wine'],
  ausbruch: same('Ausbruch'),
  dac: same('Districtus Austriae Controllatus (DAC)'),
  estate: same('Gutswein'),
  local: same('Ortswein'),
  singlesite: ['Lagenwein', 'Single-site wine'],
  vdpGutswein: same('VDP.Gutswein'),
  vdpOrtswein: same('VDP.Ortswein'),
  vdpErsteLage: same('VDP.Erste Lage'),
  vdpGrosseLage: same('VDP.Große Lage'),
  vdpGrossesGewaechs: same('VDP.Großes Gewächs'),
  vdpGutssekt: same('VDP.Gutssekt'),
  vdpOrtssekt: same('VDP.Ortssekt'),
  sparklingWine: ['Schaumwein', 'Sparkling wine'],
  aeratedSparklingWine: ['Schaumwein mit zugesetzter Kohlensäure', 'Aerated sparkling wine'],
  champagne: same('Sekt'),
  champagneSpecificRegion: same('Sekt b. A.'),
  champagneClassic: same('Sekt Klassik'),
  champagneReserve: same('Sekt Reserve'),
  champagneGrandReserve: same('Sekt Große Reserve'),
  winzersekt: same('Winzersekt'),
  cremant: same('Crémant'),
  reserva: same('Reserva'),
  california: ['Kalifornien', 'California'],
  igp: ['Geschützte geografische Angabe (g. g. A.)', 'Protected geographical indication (PGI)'],
}

const byCountry: Readonly<Record<string, Readonly<Record<string, Term>>>> = {
  de: { specialquality: same('Prädikatswein') },
  fr: {
    table: same('Vin de table'),
    country: same('Vin de pays'),
    superior: same('Supérieur'),
    aop: same('Appellation d’Origine Protégée (AOP)'),
    igp: same('Indication Géographique Protégée (IGP)'),
    ac: same('Appellation Contrôlée (AC)'),
    aoc: same('Appellation d’Origine Contrôlée (AOC)'),
    vdn: same('Vin Doux Naturel (VDN)'),
    vdqs: same('Vin Délimité de Qualité Supérieure (VDQS)'),
  },
  it: {
    table: same('Vino da tavola'),
    superior: same('Superiore'),
    dop: same('Denominazione di Origine Protetta (DOP)'),
    doc: same('Denominazione di Origine Controllata (DOC)'),
    doca: same('Denominazione di Origine Controllata (DOCa)'),
    docg: same('Denominazione di Origine Controllata e Garantita (DOCG)'),
    igp: same('Indicazione Geografica Protetta (IGP)'),
  },
  es: {
    table: same('Vino de mesa'),
    do: same('Denominación de Origen (DO)'),
    doc: same('Denominación de Origen Calificada (DOC)'),
    doca: same('Denominación de Origen Calificada (DOCa)'),
    dop: same('Denominación de Origen Protegida (DOP)'),
    igp: same('Indicación Geográfica Protegida (IGP)'),
  },
  pt: {
    doc: same('Denominação de Origem Controlada (DOC)'),
    dop: same('Denominação de Origem Protegida (DOP)'),
    ig: same('Indicação Geográfica (IG)'),
    igp: same('Indicação Geográfica Protegida (IGP)'),
    vr: same('Vinho Regional (VR)'),
  },
  za: { origin: same('Wine of Origin (WO)') },
}

/** A quality key in words as its country uses it; free text stays as it is, `notspecified` is null. */
export const qualityWord = (quality: string, countrycode: string, language: Language): string | null => {
  if (quality === 'notspecified') return null
  return wordFor(byCountry[countrycode]?.[quality] ?? everywhere[quality], language) ?? quality
}
