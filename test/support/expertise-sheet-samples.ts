import type { Wine } from '../../shared/contract/records/wine.ts'

/** A record with no more than a name, a type and an origin. */
export const bare: Wine = {
  ...{ id: 7, name: 'Riesling', articlenumber: null, taste_id: null, vintage: null, alcohol: null, sweetness: null },
  ...{ acid: null, bottlesize: '0.750', drinktemperature: null, gross: '0.00', net: '0.00', tax: '0.00', taxrate: 19 },
  ...{ place: null, description: null, image: null, pdf: null, active: 1, type: 'white', region: 1008 },
  ...{ countrycode: 'de', cuvee: 0, nostock: 0, nostocktext: null, quality: null, quality_note: null },
  ...{ bottling_type: null, path_segment: 'riesling', customers_id: 1, origin_id: null, language: 'de', cruser_id: 1 },
  ...{ crstamp: '2024-03-01 10:00:00', chstamp: '2024-03-12 10:00:00', winery_id: null, weight: 0, gtin: null },
  ...{
    terroir: null,
    maturation: null,
    cap: null,
    bio: 0,
    vegan: 0,
    sorting: 0,
    topseller: 0,
    network: 0,
    internal: 0,
  },
  ...{ public: 1, shop: 1, winesearch: 0, expertisePdf: null, hash: 'a'.repeat(32), version: 1, translations: [] },
  ...{ prices: [], winery: null, categoryIds: [], allergenIds: [], grapetypeIds: [] },
}

const winery: NonNullable<Wine['winery']> = {
  ...{ id: 1, name: 'Weingut Sonnenberg', company: null, taxid: null, address: 'Rheinstraße 12', zip: '65385' },
  ...{ city: 'Rüdesheim', region: 1008, countrycode: 'de', mail: null, phone: null, image: null, freetext: null },
  ...{ fax: null, www: null, vineyard: null, harvest: null, bestplaces: null, memberof: null, charindex: null },
  ...{ sorting: 0, customers_id: 1, crstamp: '', cruser_id: 1, chstamp: '', active: 1, network: 0, internal: 0 },
  ...{ public: 1 },
}

/** A record with everything a sheet can show. */
export const full: Wine = {
  ...bare,
  ...{ name: 'Berg Schlossberg', vintage: 2021, articlenumber: 'RBS-21', taste_id: 1, alcohol: '12.5', acid: '7.8' },
  ...{ sweetness: '4.2', drinktemperature: '8-10', gross: '24.90', place: 'Assmannshausen', quality: 'spaetlese' },
  ...{ bottling_type: 'producer', cap: 'screw', bio: 1, vegan: 1, gtin: '4012345678901', winery, allergenIds: [12, 7] },
  ...{ description: 'Pfirsich und Feuerstein.', terroir: 'Quarzit.', maturation: 'Im Stückfass.' },
}

const pangram = 'Żółć gęślą jaźń, příliš žluťoučký kůň, árvíztűrő tükörfúrógép – „süß“ 🍷. Er ist groß! '
/** A record whose every text is as long as the limits allow. */
export const extreme: Wine = {
  ...full,
  ...{ name: 'Großes Gewächs „Ölberg“ '.repeat(11).slice(0, 255), description: pangram.repeat(200).slice(0, 10_000) },
  ...{
    terroir: 'Löss '.repeat(800),
    maturation: 'W'.repeat(4000),
    place: 'Ort '.repeat(63),
    quality: 'Güte '.repeat(51),
  },
  ...{ articlenumber: 'A'.repeat(255), quality_note: 'ű'.repeat(255), drinktemperature: 'kühl '.repeat(51) },
  ...{ allergenIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], gross: '9999999.99', alcohol: '100.0' },
  ...{ winery: { ...winery, name: 'Weingut '.repeat(31), address: 'Straße'.repeat(42), city: 'Ő'.repeat(255) } },
}
export const manyDetails = { grapeNames: Array(40).fill('Blaufränkisch'), merchant: { name: 'Kontor '.repeat(36) } }
