import { isRegionOf, regionIdOf } from '../../../shared/contract/labels.ts'
import type { XWine } from './xwines.ts'

/**
 * The wine regions of X-Wines' region names that are not those of the labels. An appellation stands under the smallest
 * region that holds it, Beaujolais and Chablis with or within Bourgogne.
 */
const places: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  de: {
    1000: ['Mayschoss'],
    1005: ['Brauneberg'],
  },
  at: {
    8002: ['Kamptal'],
    8008: ['Neusiedlersee'],
    8011: ['Mittelburgenland'],
    8015: ['Südsteiermark'],
  },
  fr: {
    2000: ["Crémant d'Alsace"],
    2002: [
      'Bordeaux Supérieur',
      'Côtes de Bordeaux',
      'Francs-Côtes de Bordeaux',
      'Côtes de Bourg',
      'Graves',
      'Pessac-Léognan',
      'Sauternes',
      'Haut-Médoc',
      'Listrac-Médoc',
      'Moulis-en-Médoc',
      'Margaux',
      'Saint-Julien',
      'Pauillac',
      'Saint-Estèphe',
      'Fronsac',
      'Pomerol',
      'Saint-Émilion Grand Cru',
    ],
    2003: [
      'Bourgogne',
      'Bourgogne Aligoté',
      'Crémant de Bourgogne',
      'Pouilly-Fuissé',
      'Gevrey-Chambertin',
      'Meursault',
      'Mercurey',
      'Chambolle-Musigny',
      'Pommard',
      'Santenay',
      'Nuits-Saint-Georges',
      'Corton-Charlemagne Grand Cru',
      "Meursault 1er Cru 'La pièce sous le Bois'",
      'Beaujolais',
      'Beaujolais-Villages',
      'Morgon',
      'Fleurie',
    ],
    2004: ["Champagne Grand Cru 'Bouzy'", "Champagne Grand Cru 'Ambonnay'", "Champagne Grand Cru 'Le Mesnil-sur-Oger'"],
    2009: ['Corbières', 'Cabardès'],
    2010: ['Bandol', 'Méditerranée'],
    2012: ['Cahors', 'Côtes de Gascogne', 'Jurançon'],
    2013: ['Sancerre', 'Pouilly-Fumé', 'Upper Loire', 'Crémant de Loire'],
    2014: ['Rhone Valley', 'Côtes-du-Rhône', 'Châteauneuf-du-Pape', 'Gigondas', 'Vacqueyras'],
    2017: ['Petit Chablis', "Chablis 1er Cru 'Montmains'"],
  },
  it: {
    6000: ["Montepulciano d'Abruzzo"],
    6001: ["Valle d'Aosta"],
    6002: ['Salento', 'Primitivo di Manduria'],
    6004: ['Rubicone'],
    6005: ['Collio'],
    6007: ['Fiano di Avellino', 'Greco di Tufo'],
    6010: ['Valtellina'],
    6013: [
      'Piemonte',
      'Langhe',
      'Barolo',
      'Barbaresco',
      'Gavi',
      'Asti',
      "Barbera d'Alba",
      "Barbera d'Asti",
      "Dolcetto d'Alba",
      "Moscato d'Asti",
      "Brachetto d'Acqui",
      'Grappa di Barbaresco',
    ],
    6014: ['Carignano del Sulcis'],
    6015: ['Etna'],
    6016: [
      'Toscana',
      'Costa Toscana',
      'Maremma Toscana',
      'Chianti',
      'Chianti Classico',
      'Chianti Colli Senesi',
      'Brunello di Montalcino',
      'Rosso di Montalcino',
      'Vin Santo del Chianti Classico',
    ],
    6017: ['Trento', 'Trentino', 'Südtirol-Alto Adige', 'Valdadige'],
    6018: ['Orvieto'],
    6019: [
      'delle Venezie',
      'Bardolino Classico',
      'Prosecco',
      'Conegliano-Valdobbiadene Prosecco',
      'Conegliano-Valdobbiadene Prosecco Superiore Rive',
    ],
    6020: [
      'Valpolicella Classico',
      'Valpolicella Ripasso',
      'Amarone della Valpolicella',
      'Amarone della Valpolicella Classico',
      'Recioto della Valpolicella Classico',
    ],
  },
  es: {
    12003: ['Vino de España'],
    12004: ['Jerez-Xérès-Sherry', 'Fino Sherry', 'Amontillado Sherry', 'Cream Sherry', 'Montilla-Moriles'],
    12011: ['Castilla', 'Valdepeñas'],
    12013: ['Cava'],
    12033: ['Rías Baixas'],
  },
  pt: {
    9000: ['Minho'],
    9001: ['Duriense', 'Porto'],
    9002: ['Bairrada', 'Beiras'],
    9003: ['Lisboa'],
    9005: ['Alentejano'],
    9006: ['Madeirense'],
  },
  gr: {
    5001: ['Chalkidiki', 'Slopes of Meliton'],
    5003: ['Krania'],
    5004: ['Continental Greece'],
    5009: ['Peloponnesos', 'Ilia'],
    5011: ['Santorini'],
  },
  ro: {
    10005: ['Murfatlar'],
  },
  si: {
    11001: ['Goriška Brda'],
  },
  za: {
    13001: ['Slanghoek', 'Breede River Valley'],
    13009: ['Calitzdorp'],
  },
  cl: {
    16002: ['Casablanca Valley'],
    16003: [
      'Central Valley (CL)',
      'Maipo Valley',
      'Puente Alto',
      'Santiago',
      'Rapel Valley',
      'Cachapoal Valley',
      'Curico Valley',
    ],
  },
  cz: {
    100016: ['Morava'],
  },
  hr: {
    100018: ['Dalmatian Coast'],
  },
  md: {
    100024: ['Moldova Viniculture'],
  },
  ru: {
    100029: ['Anapa (Анапа)'],
    100030: ['Don Valley (Долина Дона)'],
    100031: ['Taman Peninsula (Таманский полуостров)'],
  },
  ua: {
    100033: ['Crimeia (Крим)'],
    100034: ['Odessa (Одеса)'],
    100035: ['Zakarpattia (Закарпатська)'],
  },
  ar: {
    14001: ['Lujan de Cuyo', 'San Rafael', 'Tupungato', 'Uco Valley'],
    100041: ['Cafayate Valley'],
    100042: ['La Rioja'],
  },
  au: {
    15001: [
      'Adelaide Hills',
      'Barossa Valley',
      'Central Victoria',
      'Clare Valley',
      'Coonawarra',
      'Heathcote',
      'Hunter Valley',
      'McLaren Vale',
      'Mornington Peninsula',
      'New South Wales',
      'South Australia',
      'South Eastern Australia',
      'Swan Hill',
      'Yarra Valley',
    ],
    100045: ['Frankland River', 'Margaret River', 'Pemberton', 'South West Australia'],
  },
  nz: {
    100052: ['Waiheke Island'],
    100056: ['Gimblett Gravels'],
    100057: ['Martinborough'],
  },
  us: {
    18001: [
      'Alexander Valley',
      'Amador County',
      'Anderson Valley',
      'Arroyo Seco',
      'Central Coast',
      'Cucamonga Valley',
      'Dry Creek Valley',
      'Happy Canyon of Santa Barbara',
      'Knights Valley',
      'Los Carneros',
      'Monterey County',
      'Mount Veeder',
      'Napa Valley',
      'North Coast',
      'Oakville',
      'Paso Robles',
      'Russian River Valley',
      'Rutherford',
      'Santa Barbara County',
      'Sonoma Coast',
      'Sonoma County',
      'Sonoma Valley',
      'Stags Leap District',
      'Temecula Valley',
      'Yountville',
    ],
    100061: ['Dundee Hills', 'Eola-Amity Hills', 'Willamette Valley'],
    100065: ['Columbia Gorge Washington', 'Columbia Valley', 'Horse Heaven Hills', 'Red Mountain'],
    100060: ['Finger Lakes'],
  },
  uy: {
    100038: ['Juanico'],
  },
}

const idByPlace = new Map(
  Object.entries(places).flatMap(([countrycode, regions]) =>
    Object.entries(regions).flatMap(([id, names]) =>
      names.map(name => [`${countrycode} ${name}`, Number(id)] as const),
    ),
  ),
)

const labelled = ({ countrycode, regionName }: XWine): number | undefined => {
  const id = regionIdOf(regionName)
  return id !== undefined && isRegionOf(countrycode, id) ? id : undefined
}

/** The region of a wine, by X-Wines' name for it. Throws where the country has no region of that name. */
export const regionOf = (wine: XWine): number => {
  const { countrycode, regionName } = wine
  const region = idByPlace.get(`${countrycode} ${regionName}`) ?? labelled(wine)
  if (region === undefined || !isRegionOf(countrycode, region)) {
    throw new RangeError(`no region of ${countrycode} is called ${regionName}`)
  }
  return region
}
