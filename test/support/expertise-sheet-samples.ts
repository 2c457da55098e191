import { completeWine, type Wine } from '../../shared/contract/records/wine.ts'
import { completeWinery } from '../../shared/contract/records/winery.ts'

/** A record with no more than a name, a type and an origin. */
export const bare = completeWine({
  ...{ id: 7, name: 'Riesling', type: 'white', region: 1008, countrycode: 'de', public: 1, shop: 1 },
  ...{ path_segment: 'riesling', customers_id: 1, cruser_id: 1, hash: 'a'.repeat(32) },
  ...{ crstamp: '2024-03-01 10:00:00', chstamp: '2024-03-12 10:00:00' },
})

const winery = completeWinery({
  ...{ id: 1, name: 'Weingut Sonnenberg', address: 'Rheinstraße 12', zip: '65385', city: 'Rüdesheim', region: 1008 },
  ...{ countrycode: 'de', customers_id: 1, crstamp: '', cruser_id: 1, chstamp: '' },
})

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
