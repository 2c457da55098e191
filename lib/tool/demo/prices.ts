import { lot } from './lot.ts'
import type { XWine } from './xwines.ts'

/** What a bottle of a tier costs in the middle, in euros; a wine is of the first tier whose pattern its line has. */
type Tier = readonly [euros: number, pattern: RegExp]

// A wine's line is "name · winery · region".
const lineOf = ({ name, winery, regionName }: XWine): string => `${name} · ${winery} · ${regionName}`

/** Houses and wines that a merchant knows the price of, whatever their appellation is. */
const houses: readonly Tier[] = [
  [690, /Château (Lafite|Mouton) Rothschild$|· Château (Lafite|Mouton) Rothschild ·/],
  [640, /^Grange · Penfolds/],
  [490, /Coche-Dury|Colgin|Eisele Vineyard/],
  [390, /^Oenothèque/],
  [290, /^(Insignia|Dominus|Red Blend · Ovid|V\.O\. Version Originale)/],
  [240, /Gaia & Rey|Cannubi San Lorenzo-Ravera|L'Esprit Des Pavots|^Rare Vintage|^Dom Ruinart/],
  [220, /Corton-Charlemagne|Château Figeac ·|Niebaum Coppola|Burlotto/],
  [
    175,
    /Pichon|Montrose|Comtes Lafon|Comte Georges de Vogüé|Special Selection Cabernet Sauvignon · Caymus|Larkmead|Far Niente/,
  ],
  [
    140,
    /Claude Dugat|Fourrier|Calon-Ségur|Vigneto Bellavista|Philip Togni|D\.R\. Stephens|Jericho Canyon|Hess Collection/,
  ],
  [125, /Don Melchor|Odette|Kurni|The Factor|Château Canon-La-Gaffelière|Certan de May/],
  [
    95,
    /Léoville Poyferré|Gruaud Larose|^Margaux du Château Margaux|Château des Tours|Salvioni\b.*Brunello|Elio Altare|Duemani/,
  ],
  [
    90,
    /^Cabernet Sauvignon · Caymus|Stag's Leap Wine Cellars|^Douro · Quinta do Vale Meão|Clos Mogador|Yarra Yering|E & E Black/,
  ],
  [
    75,
    /Art Series Chardonnay|Reine Des Bois|Roc de Cambes|Szepsy|V\.O\.R\.S|Costa Russi Grappa|Monts Damnés|Perlé Nero/,
  ],
  [60, /Gran Reserva 904|Cuvée Spéciale La Louffe|Graticciaia|Lagrange ·|L'Ermitage|^Rosso di Montalcino · Salvioni/],
  [
    42,
    /Nackenheim Rothenberg|Polish Hill|^Emilien|Château Musar|Hacienda Monasterio|Espiritu de Apalta|Grappa Cru Monovitigno/,
  ],
  [
    32,
    /Rubicon · Meerlust|Ernie Els|Bartolo Mascarello|Chocolate Block|Pedro Ximénez Murillo|Caillou Blanc|Kit's Coty/,
  ],
  [25, /· El Enemigo ·|Achaval-Ferrer|Catena Zapata|Coyam|21 Gables|Nanclares y Prieto/],
  [
    6,
    /Mateus|Bota Box|Lidl|Tesco|Yellow Tail|White Zinfandel|Gazela|Casal Garcia|Calamares|Wycliff|Club des Sommeliers/,
  ],
  [
    8,
    /Tussock Jumper|The Little Penguin|La Vieille Ferme|Fratelli Cella|Tavernello|Clean Slate|Blüfeld|Moonlight & Roses/,
  ],
]

const germany: readonly Tier[] = [
  [85, /Eiswein/],
  [70, /Beerenauslese/],
  [42, /\bGG\b/],
  [29, /Auslese/],
  [19, /Spätlese/],
  [15, /Kabinett/],
  [24, /Brut/],
  [
    18,
    /\p{Lu}\p{L}+er \p{Lu}|Robert Weil|Schloss Johannisberg|Meyer-Näkel|Graf Von Are|Georg Breuer|Tradition|Reserve|Wittmann|Dönnhoff/u,
  ],
  [11, /./],
]
const austria: readonly Tier[] = [
  [24, /Reserve|Ried|Alte Reben|Maximum/],
  [13, /./],
]
const france: readonly Tier[] = [
  [98, /Premier Grand Cru Classé/],
  [72, /\(Grand Cru Classé\).*(Pauillac|Saint-Estèphe|Saint-Julien)/],
  [48, /\(Grand Cru Classé\)/],
  [68, /Champagne Grand Cru|Champagne Premier Cru|Millésime|Vintage.*Champagne|Blason/],
  [46, /Champagne/],
  [98, /Chambolle-Musigny 1er/],
  [74, /Meursault 1er|Pommard Premier/],
  [38, /Premier Cru|1er Cru/],
  [62, /Gevrey|Chambolle|Nuits-Saint-Georges|· Meursault|Pomerol/],
  [37, /Châteauneuf|· Margaux|· Pauillac|· Saint-Estèphe/],
  [29, /Saint-Émilion|Pessac-Léognan|Santenay|Pouilly-F|Sauternes|Marc d'Alsace/],
  [15, /Petit Chablis/],
  [22, /Chablis|Sancerre|Gigondas|Vacqueyras|Fronsac|Haut-Médoc|Moulis|Listrac|Graves|Francs|Morgon|Fleurie|Menetou/],
  [17, /Bourgogne (Pinot|Chardonnay|Couvent|Cuvée)|Riesling|Bandol|Jurançon|Grande Réserve Côtes de Provence/],
  [13, /Crémant|Bourgogne|Bordeaux Supérieur|Côtes|Cahors|Beaujolais|Tautavel|Viognier/],
  [9, /./],
]
const italy: readonly Tier[] = [
  [52, /Barolo Riserva|Riserva Prêt|Barolo.*Cannubi|Cerequio|Bricco Francesco|Grappa di Amarone/],
  [42, /Barolo|Brunello|Amarone|Barbaresco|Vin Santo|Recioto/],
  [30, /Grappa|Perlé|Etna|Piodilei|Gratius/],
  [22, /Chianti.*Riserva|Ripasso|Langhe|Chardonnay di Toscana|Le Difese|Barbera d'Alba Superiore|Rive di|Il Volano/],
  [
    15,
    /Barbera|Chianti Classico|Collio|Avellino|Tufo|Gavi|Valdobbiadene|Valtellina|Südtirol|Friuli|Moscato d'Asti|Carignano|Aosta|Trento/,
  ],
  [11, /Chianti|Dolcetto|Valpolicella|Primitivo|Susumaniello|Maremma|Toscana|Brachetto|Montepulciano/],
  [8, /./],
]
const spain: readonly Tier[] = [
  [32, /Priorat|Ribera del Duero|Don PX|Oloroso/],
  [22, /Gran Reserva/],
  [16, /Reserva|Pétalos|Sherry|Montilla/],
  [12, /Crianza|Rueda/],
  [8, /./],
]
const portugal: readonly Tier[] = [
  [85, /Vintage Port(?!o)(?<!Late Bottled Vintage Port)/],
  [52, /20 (Year|Anos)/],
  [38, /Colheita (Port|.*· Porto)|Porto Colheita|Colheita Porto/],
  [29, /10 (Year|Anos)/],
  [19, /Late Bottled|Reserva|Heritage|Esporão Reserva|Vallado|Meandro|Xisto|Noval/],
  [13, /Port\b|Porto|Douro|Alvarinho|Bairrada/],
  [8, /./],
]
const hungary: readonly Tier[] = [
  [56, /6 Puttonyos/],
  [29, /3 Puttonyos/],
  [10, /./],
]
const america: readonly Tier[] = [
  [19, /Ros[eé]/],
  [85, /Stags Leap District|Rutherford|Oakville|Mount Veeder/],
  [64, /Napa Valley|Lauréne|Happy Canyon/],
  [
    38,
    /Russian River|Sonoma|Carneros|Dundee|Eola|Willamette|Alexander|Knights|Anderson|Horse Heaven|Au Bon Climat|Austin Hope/,
  ],
  [20, /Lodi|Dry Creek|Central Coast|Finger Lakes|Virginia|Texas|Port|Late Harvest|Columbia Gorge|Amador|Paso Robles/],
  [11, /./],
]
const australia: readonly Tier[] = [
  [38, /Barossa|Yarra|Mornington|Heathcote|Lenswood/],
  [24, /Margaret River|Coonawarra|Clare|McLaren|Frankland|Botrytis/],
  [9, /./],
]
const newZealand: readonly Tier[] = [
  [38, /Central Otago|Canterbury|Gimblett|Waiheke|Martinborough/],
  [14, /./],
]
const canada: readonly Tier[] = [
  [58, /Icewine/],
  [26, /Late Harvest|Select/],
  [19, /./],
]
const chile: readonly Tier[] = [
  [19, /Alpha|Gran Reserva/],
  [11, /Reserva?|Late Harvest|Orzada|Marques/],
  [8, /./],
]
const southAfrica: readonly Tier[] = [
  [18, /Stellenbosch|Franschhoek|Elgin|Noble/],
  [10, /./],
]
const greece: readonly Tier[] = [
  [26, /Santorini/],
  [12, /./],
]
const argentina: readonly Tier[] = [
  [22, /Gran |Golden Reserve|De Sangre|Cuvée Nature|Tupungato/],
  [12, /./],
]

const countries: Readonly<Record<string, readonly Tier[]>> = {
  ...{ de: germany, at: austria, fr: france, it: italy, es: spain, pt: portugal, hu: hungary, gr: greece },
  ...{ us: america, ca: canada, ar: argentina, cl: chile, au: australia, nz: newZealand, za: southAfrica },
}

/** Everywhere else: a fuller wine costs more. */
const elsewhere = ({ body }: XWine): number => 9 + 2 * body

const middleOf = (wine: XWine): number => {
  const line = lineOf(wine)
  const tiers = [...houses, ...(countries[wine.countrycode] ?? [])]
  return tiers.find(([, pattern]) => pattern.test(line))?.[0] ?? elsewhere(wine)
}

/**
 * What a bottle costs, in cents, tax included: a price of the wine's tier, up to a fifth less or more by lot. Below 100
 * euros it ends with 90 cents, from there on it is a multiple of five euros.
 */
export const grossOf = (wine: XWine): number => {
  const euros = middleOf(wine) * (0.8 + 0.4 * lot(wine.id, 641))
  return euros < 100 ? 100 * Math.round(euros) - 10 : 500 * Math.round(euros / 5)
}
