import * as v from 'valibot'
import { CountryCode, Flag, filled, Id, Mail, optionalLines, Timestamp } from '../wire.ts'
import { completing, entriesOf, type Fields, given, givenEntries, shown } from './fields.ts'
import { OneLine } from './values.ts'

/** The winery that wines embed (interface document 2.5). */
export const wineryFields = {
  id: shown(v.number()),
  name: { ...given(filled()), required: true },
  company: { ...given(OneLine), default: null },
  taxid: { ...given(OneLine), default: null },
  address: { ...given(OneLine), default: null },
  zip: { ...given(OneLine), default: null },
  city: { ...given(OneLine), default: null },
  region: { ...given(v.nullable(Id)), default: null, example: 1005 },
  countrycode: { ...given(v.nullable(CountryCode)), default: null, example: 'de' },
  mail: { ...given(Mail), default: null, example: 'gut@example.org' },
  phone: { ...given(OneLine), default: null },
  fax: { ...given(OneLine), default: null },
  www: { ...given(OneLine), default: null },
  freetext: { ...given(optionalLines(10_000)), default: null },
  vineyard: { ...given(OneLine), default: null },
  harvest: { ...given(OneLine), default: null },
  bestplaces: { ...given(OneLine), default: null },
  memberof: { ...given(OneLine), default: null },
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
