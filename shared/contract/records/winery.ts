import * as v from 'valibot'
import {
  common,
  createCompletion,
  entriesOf,
  type FieldTable,
  given,
  givenEntries,
  OneLine,
  shown,
} from '../schema/fields.ts'
import { CountryCode, Flag, filled, Id, Mail, optionalLines, Timestamp } from '../schema/wire.ts'

/** The winery that wines embed. */
export const wineryFields = {
  id: { ...shown(v.number()), description: 'Id of the winery.' },
  name: {
    ...given(filled()),
    required: true,
    description: 'Name of the winery.',
    inFiles: 'A row finds the winery by it, and needs it to fill other columns of the winery.',
    example: 'Weingut Sonnenhang',
  },
  company: {
    ...given(OneLine),
    default: null,
    description: 'Company name, as on the label.',
    example: 'Sonnenhang Weinbau GmbH',
  },
  taxid: { ...given(OneLine), default: null, description: 'Tax number or VAT number.', example: 'DE123456789' },
  address: { ...given(OneLine), default: null, description: 'Street and house number.', example: 'Am Hang 3' },
  zip: { ...given(OneLine), default: null, description: 'Postal code.', example: '67269' },
  city: { ...given(OneLine), default: null, description: 'Town.', example: 'Grünstadt' },
  region: {
    ...given(v.nullable(Id)),
    default: null,
    example: 1005,
    description: 'Wine region by its id in the labels.',
  },
  countrycode: {
    ...given(v.nullable(CountryCode)),
    default: null,
    example: 'de',
    description: 'Country of the winery, as two letters.',
  },
  mail: { ...given(Mail), default: null, example: 'gut@example.org', description: 'Mail address.' },
  phone: { ...given(OneLine), default: null, description: 'Telephone number.', example: '+49 6359 1234' },
  fax: { ...given(OneLine), default: null, description: 'Fax number.', example: '+49 6359 1235' },
  www: { ...given(OneLine), default: null, description: 'Website.', example: 'https://sonnenhang.example' },
  freetext: {
    ...given(optionalLines(10_000)),
    default: null,
    description: 'Portrait of the winery; it may have several lines.',
    example: 'Familienbetrieb seit 1890.',
  },
  vineyard: { ...given(OneLine), default: null, description: 'Vineyards.', example: '12 Hektar, Südhang' },
  harvest: { ...given(OneLine), default: null, description: 'How the grapes are harvested.', example: 'Handlese' },
  bestplaces: {
    ...given(OneLine),
    default: null,
    description: 'Best sites of the winery.',
    example: 'Forster Ungeheuer',
  },
  memberof: {
    ...given(OneLine),
    default: null,
    description: 'Associations to which the winery belongs.',
    example: 'Ecovin',
  },
  image: { ...shown(OneLine), default: null, description: 'Path of the picture.' },
  charindex: { ...shown(OneLine), default: null, description: 'Letter under which an alphabetical list has it.' },
  sorting: { ...shown(v.number()), default: 0, description: 'Rank in sorted lists; the lowest number comes first.' },
  // Wineries of older imports have none.
  path_segment: { ...shown(v.nullable(v.string())), default: null, description: 'Name in URLs.' },
  customers_id: { ...common.customers_id, ...shown(v.number()) },
  cruser_id: { ...common.cruser_id, default: 0 },
  crstamp: { ...common.crstamp, ...shown(Timestamp) },
  chstamp: { ...common.chstamp, ...shown(Timestamp) },
  active: { ...shown(Flag), default: 1, description: '0 hides the winery from shops.' },
  network: { schema: Flag, default: 0, description: 'Flag that the service stores and does not use.' },
  internal: { schema: Flag, default: 0, description: 'Flag that the service stores and does not use.' },
  public: { ...shown(Flag), default: 1, description: 'Flag that the service stores and does not use.' },
} as const satisfies FieldTable

/** A winery as its merchant sees it. */
export const Winery = v.strictObject(entriesOf(wineryFields, 'schema'))
export type Winery = v.InferOutput<typeof Winery>

/** The public part of a winery. */
export const PublicWinery = v.strictObject(entriesOf(wineryFields, 'public'))
export type PublicWinery = v.InferOutput<typeof PublicWinery>

/** The winery of a wine in files, identified by its name. */
export const FiledWinery = v.strictObject(givenEntries(wineryFields, 'column', ['name']))
export type FiledWinery = v.InferOutput<typeof FiledWinery>

export const completeWinery = createCompletion(wineryFields, 'schema')

/** The public part of a winery; fields that only the merchant may see are dropped. */
export const publicWinery = createCompletion(wineryFields, 'public')
