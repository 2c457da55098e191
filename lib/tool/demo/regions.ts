import { isRegionOf, regionBlocks } from '../../../shared/contract/wine-regions.ts'
import type { XWine } from './xwines.ts'

/**
 * The wine region an X-Wines region name lies in, by the interface's region ids. An appellation stands under the
 * smallest region of the interface that holds it, Beaujolais and Chablis with or within Bourgogne.
 */
const places: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  de: {
    1000: ['Ahr', 'Mayschoss'],
    1001: ['Baden'],
    1002: ['Franken'],
    1005: ['Mosel', 'Brauneberg'],
    1006: ['Nahe'],
    1007: ['Pfalz'],
    1008: ['Rheingau'],
    1009: ['Rheinhessen'],
    1012: ['Württemberg'],
  },
  at: {
    8000: ['Wachau'],
    8002: ['Kamptal'],
    8004: ['Wagram'],
    8008: ['Neusiedlersee'],
    8011: ['Mittelburgenland'],
    8015: ['Südsteiermark'],
    8018: ['Burgenland'],
    8019: ['Niederösterreich'],
    8020: ['Steiermark'],
  },
  fr: {
    2000: ['Alsace', "Crémant d'Alsace"],
    2002: [
      ...['Bordeaux', 'Bordeaux Supérieur', 'Côtes de Bordeaux', 'Francs-Côtes de Bordeaux', 'Côtes de Bourg'],
      ...['Graves', 'Pessac-Léognan', 'Sauternes', 'Haut-Médoc', 'Listrac-Médoc', 'Moulis-en-Médoc', 'Margaux'],
      ...['Saint-Julien', 'Pauillac', 'Saint-Estèphe', 'Fronsac', 'Pomerol', 'Saint-Émilion Grand Cru'],
    ],
    2003: [
      ...['Bourgogne', 'Bourgogne Aligoté', 'Crémant de Bourgogne', 'Pouilly-Fuissé', 'Gevrey-Chambertin', 'Meursault'],
      ...[
        'Mercurey',
        'Chambolle-Musigny',
        'Pommard',
        'Santenay',
        'Nuits-Saint-Georges',
        'Corton-Charlemagne Grand Cru',
      ],
      ...["Meursault 1er Cru 'La pièce sous le Bois'", 'Beaujolais', 'Beaujolais-Villages', 'Morgon', 'Fleurie'],
    ],
    2004: [
      ...['Champagne', "Champagne Grand Cru 'Bouzy'", "Champagne Grand Cru 'Ambonnay'"],
      "Champagne Grand Cru 'Le Mesnil-sur-Oger'",
    ],
    2009: ['Languedoc-Roussillon', 'Corbières', 'Cabardès'],
    2010: ['Provence', 'Bandol', 'Méditerranée'],
    2012: ['Cahors', 'Côtes de Gascogne', 'Jurançon'],
    2013: ['Sancerre', 'Pouilly-Fumé', 'Upper Loire', 'Crémant de Loire'],
    2014: ['Rhone Valley', 'Côtes-du-Rhône', 'Châteauneuf-du-Pape', 'Gigondas', 'Vacqueyras'],
    2016: ['Côtes de Provence'],
    2017: ['Chablis', 'Petit Chablis', "Chablis 1er Cru 'Montmains'"],
  },
  it: {
    6000: ['Abruzzo', "Montepulciano d'Abruzzo"],
    6001: ["Valle d'Aosta"],
    6002: ['Puglia', 'Salento', 'Primitivo di Manduria'],
    6004: ['Emilia-Romagna', 'Rubicone'],
    6005: ['Friuli-Venezia Giulia', 'Collio'],
    6007: ['Fiano di Avellino', 'Greco di Tufo'],
    6010: ['Valtellina'],
    6011: ['Marche'],
    6013: [
      ...['Piemonte', 'Langhe', 'Barolo', 'Barbaresco', 'Gavi', 'Asti', "Barbera d'Alba", "Barbera d'Asti"],
      ...["Dolcetto d'Alba", "Moscato d'Asti", "Brachetto d'Acqui", 'Grappa di Barbaresco'],
    ],
    6014: ['Carignano del Sulcis'],
    6015: ['Etna'],
    6016: [
      ...['Toscana', 'Costa Toscana', 'Maremma Toscana', 'Chianti', 'Chianti Classico', 'Chianti Colli Senesi'],
      ...['Brunello di Montalcino', 'Rosso di Montalcino', 'Vin Santo del Chianti Classico'],
    ],
    6017: ['Trento', 'Trentino', 'Südtirol-Alto Adige', 'Valdadige'],
    6018: ['Orvieto'],
    6019: [
      ...['Veneto', 'delle Venezie', 'Bardolino Classico', 'Prosecco', 'Conegliano-Valdobbiadene Prosecco'],
      'Conegliano-Valdobbiadene Prosecco Superiore Rive',
    ],
    6020: [
      ...['Valpolicella', 'Valpolicella Classico', 'Valpolicella Ripasso', 'Amarone della Valpolicella'],
      ...['Amarone della Valpolicella Classico', 'Recioto della Valpolicella Classico'],
    ],
  },
  es: {
    12003: ['Vino de España'],
    12004: ['Jerez-Xérès-Sherry', 'Fino Sherry', 'Amontillado Sherry', 'Cream Sherry', 'Montilla-Moriles'],
    12011: ['Castilla', 'Valdepeñas'],
    12013: ['Cava'],
    12016: ['Rioja'],
    12019: ['Navarra'],
    12020: ['Valencia'],
    12021: ['Penedès'],
    12022: ['Priorat'],
    12025: ['Ribera del Duero'],
    12026: ['Campo de Borja'],
    12028: ['Jumilla'],
    12030: ['Cariñena'],
    12033: ['Rías Baixas'],
    12035: ['Bierzo'],
    12036: ['Rueda'],
  },
  pt: {
    9000: ['Vinho Verde', 'Minho'],
    9001: ['Douro', 'Duriense', 'Porto'],
    9003: ['Lisboa'],
    9005: ['Alentejo', 'Alentejano'],
    9006: ['Madeirense'],
  },
  gr: {
    5001: ['Macedonia', 'Chalkidiki', 'Slopes of Meliton'],
    5003: ['Krania'],
    5004: ['Continental Greece'],
    5009: ['Peloponnesos', 'Ilia'],
    5011: ['Santorini'],
    5014: ['Crete'],
  },
  ro: { 10004: ['Transylvania'], 10005: ['Murfatlar'] },
  si: { 11001: ['Goriška Brda'] },
  za: {
    13001: ['Slanghoek'],
    13002: ['Cape Agulhas'],
    13007: ['Elgin'],
    13008: ['Franschhoek'],
    13009: ['Calitzdorp'],
    13014: ['Paarl'],
    13016: ['Robertson'],
    13017: ['Stellenbosch'],
    13019: ['Swartland'],
  },
  cl: {
    16001: ['Colchagua Valley'],
    16002: ['Casablanca Valley'],
    16003: [
      ...['Central Valley (CL)', 'Maipo Valley', 'Puente Alto', 'Santiago', 'Rapel Valley', 'Cachapoal Valley'],
      'Curico Valley',
    ],
    16004: ['Maule Valley'],
  },
  us: { 18002: ['Lodi'] },
}

const idByPlace = new Map(
  Object.entries(places).flatMap(([countrycode, regions]) =>
    Object.entries(regions).flatMap(([id, names]) =>
      names.map(name => [`${countrycode} ${name}`, Number(id)] as const),
    ),
  ),
)

/**
 * The region of a wine: the table's; for a name the table does not know the first id of the country's block, so that
 * the record is a valid one; for a country without a block the RegionID of X-Wines.
 */
export const regionOf = ({ countrycode, regionName, regionId }: XWine): number => {
  const region = idByPlace.get(`${countrycode} ${regionName}`) ?? regionBlocks.get(countrycode)?.[0]?.[0] ?? regionId
  if (!isRegionOf(countrycode, region)) throw new RangeError(`${countrycode} has no region ${region}`)
  return region
}
