import * as v from 'valibot'
import { CountryCode, Flag, filled, Id, Mail, optionalLines, Timestamp } from '../wire.ts'
import { completing, entriesOf, type Fields, given, givenEntries, OneLine, shown } from './fields.ts'

/** The winery that wines embed (interface document 2.5). */
export const wineryFields = {
  id: shown(v.number()),
  name: {
    ...given(filled()),
    required: true,
    meaning: 'Name of the winery, by which a row finds it; a row that fills other columns of the winery needs it.',
    example: 'Weingut Sonnenhang',
  },
  company: {
    ...given(OneLine),
    default: null,
    meaning: 'Company name, as on the label.',
    example: 'Sonnenhang Weinbau GmbH',
  },
  taxid: { ...given(OneLine), default: null, meaning: 'Tax number or VAT number.', example: 'DE123456789' },
  address: { ...given(OneLine), default: null, meaning: 'Street and house number.', example: 'Am Hang 3' },
  zip: { ...given(OneLine), default: null, meaning: 'Postal code.', example: '67269' },
  city: { ...given(OneLine), default: null, meaning: 'Town.', example: 'Grünstadt' },
  region: {
    ...given(v.nullable(Id)),
    default: null,
    example: 1005,
    meaning: 'Wine region by its number in the labels.',
  },
  countrycode: { ...given(v.nullable(CountryCode)), default: null, example: 'de', meaning: 'Country of the winery.' },
  mail: { ...given(Mail), default: null, example: 'gut@example.org', meaning: 'Mail address.' },
  phone: { ...given(OneLine), default: null, meaning: 'Telephone number.', example: '+49 6359 1234' },
  fax: { ...given(OneLine), default: null, meaning: 'Fax number.', example: '+49 6359 1235' },
  www: { ...given(OneLine), default: null, meaning: 'Website.', example: 'https://sonnenhang.example' },
  freetext: {
    ...given(optionalLines(10_000)),
    default: null,
    meaning: 'Portrait of the winery; it may have several lines.',
    example: 'Familienbetrieb seit 1890.',
  },
  vineyard: { ...given(OneLine), default: null, meaning: 'Vineyards.', example: '12 Hektar, Südhang' },
  harvest: { ...given(OneLine), default: null, meaning: 'How the grapes are harvested.', example: 'Handlese' },
  bestplaces: { ...given(OneLine), default: null, meaning: 'Best sites of the winery.', example: 'Forster Ungeheuer' },
  memberof: {
    ...given(OneLine),
    default: null,
    meaning: 'Associations to which the winery belongs.',
    example: 'Ecovin',
  },
  image: { ...shown(OneLine), default: null },
  charindex: { ...shown(OneLine), default: null },
  sorting: { ...shown(v.number()), default: 0 },
  // A winery of an older import has none.
  path_segment: { ...shown(v.nullable(v.string())), default: null },
  customers_id: shown(v.number()),
  cruser_id: { schema: v.number(), default: 0 },
  crstamp: shown(Timestamp),
  chstamp: shown(Timestamp),
  active: { ...shown(Flag), default: 1 },
  network: { schema: Flag, default: 0 },
  internal: { schema: Flag, default: 0 },
  public: { ...shown(Flag), default: 1 },
} as const satisfies Fields

/** A winery as its merchant sees it. */
export const Winery = v.strictObject(entriesOf(wineryFields, 'schema'))
export type Winery = v.InferOutput<typeof Winery>

/** A winery as everybody sees it. */
export const PublicWinery = v.strictObject(entriesOf(wineryFields, 'public'))
export type PublicWinery = v.InferOutput<typeof PublicWinery>

/** The winery of a wine as files give it, known by its name. */
export const FiledWinery = v.strictObject(givenEntries(wineryFields, 'column', ['name']))
export type FiledWinery = v.InferOutput<typeof FiledWinery>

/** A winery with what is known of it. */
export const completeWinery = completing(wineryFields, 'schema')

/** A winery without what only its merchant may see. */
export const publicWinery = completing(wineryFields, 'public')
