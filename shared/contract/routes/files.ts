import * as v from 'valibot'
import { isFileName, isPdfName, maxFileBytes } from '../../values/supplied-file.ts'
import { fieldsProblem, type Problem } from '../errors.ts'
import { Category } from '../records/category.ts'
import { ShownMerchant } from '../records/merchant.ts'
import { Product } from '../records/product.ts'
import { route } from '../route.ts'
import { described, filled, Id, must, requirement, Uuid, wholeBetween, word } from '../schema/wire.ts'
import { AnsweredWine } from './wines.ts'

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** The media types of files, and the types of records that may have them, by kind of file. */
const kinds = {
  picture: { types: pictureTypes, records: ['wine', 'product', 'category'] },
  expertise: { types: ['application/pdf'], records: ['wine'] },
  logo: { types: pictureTypes, records: ['merchant'] },
} as const

export type FileKind = keyof typeof kinds
export type MediaType = (typeof kinds)[FileKind]['types'][number]
export type OwnerType = (typeof kinds)[FileKind]['records'][number]

const isOneOf = (words: readonly string[], word: string): boolean => words.includes(word)

const Upload = v.pipe(
  v.object({
    kind: described(
      word(['picture', 'expertise', 'logo'] satisfies FileKind[]),
      'Kind of the file: a picture of a record, the expertise PDF of a wine, or the merchant’s logo.',
    ),
    record: described(
      v.object({
        type: described(
          word(['wine', 'product', 'category', 'merchant'] satisfies OwnerType[]),
          'Type of the record: `wine`, `product` or `category` for a picture, `wine` for an expertise, `merchant` for a logo.',
        ),
        id: described(Id, 'Id of the record; of the merchant its `customers_id`.'),
      }),
      'The record that the file is for.',
    ),
    name: described(
      v.pipe(
        filled(200),
        must<string>('file_name', 'a file name without / \\ ? # %, and without a dot at its beginning', isFileName),
      ),
      'Name of the file. That of an expertise ends with `.pdf` and is part of its link.',
    ),
    size: described(wholeBetween(1, maxFileBytes), 'Size of the file in bytes, at most 20 MB.'),
    type: described(
      word([...pictureTypes, 'application/pdf'] satisfies MediaType[]),
      'Media type of the file: of pictures and logos `image/jpeg`, `image/png` or `image/webp`, of an expertise `application/pdf`.',
    ),
  }),
  v.forward(
    v.partialCheck(
      [['kind'], ['type']],
      requirement(
        'type_of_kind',
        'application/pdf for an expertise, a picture type for the other kinds',
        ({ kind, type }) => isOneOf(kinds[kind as FileKind].types, type),
      ),
    ),
    ['type'],
  ),
  v.forward(
    v.partialCheck(
      [['kind'], ['record', 'type']],
      requirement(
        'record_of_kind',
        'a wine, product or category for a picture, a wine for an expertise, the merchant for a logo',
        ({ kind, record }) => isOneOf(kinds[kind as FileKind].records, record.type),
      ),
    ),
    ['record', 'type'],
  ),
  v.forward(
    v.partialCheck(
      [['kind'], ['name']],
      requirement('pdf_name', 'a file name that ends with .pdf', ({ kind, name }) =>
        kind === 'expertise' ? isPdfName(name) : true,
      ),
    ),
    ['name'],
  ),
)

export type Upload = v.InferOutput<typeof Upload>

/** The refusal of a file for a record that does not exist. */
export const recordMissing = (): Problem =>
  fieldsProblem('reference_not_found', [
    { path: 'record.id', rule: 'reference', expected: 'the id of a record of this type' },
  ])

export const filesAdd = route({
  path: '/service/files/add',
  level: 'service',
  role: 'desk',
  permissions: { upload: ['put'], wine: ['get'], product: ['get'], category: ['get'] },
  files: ['writeUploads'],
  // A second upload changes nothing until it is committed.
  repeat: 'safe',
  body: Upload,
  response: v.strictObject({
    upload: described(
      v.strictObject({
        url: described(v.string(), 'Address to send the form to, by POST.'),
        fields: described(
          v.record(v.string(), v.string()),
          'Fields of the form; the field `file` follows them. They are valid for ten minutes, for a file of this size and type.',
        ),
      }),
      'A form (`multipart/form-data`) that stores the file.',
    ),
    file: described(v.string(), 'Id of the file for `files/commit`; it is valid for a day.'),
  }),
  errors: ['reference_not_found'],
  summary: 'Returns a form that uploads a picture or PDF. Send the form to its `url`, then call `files/commit`.',
})

export const filesCommit = route({
  path: '/service/files/commit',
  level: 'service',
  role: 'desk',
  permissions: {
    upload: ['get', 'update'],
    wine: ['get', 'batchGet', 'put'],
    catalogue: ['batchGet', 'update'],
    product: ['get', 'put'],
    category: ['get', 'update'],
    recordsVersion: ['get', 'put'],
    merchant: ['get', 'update'],
  },
  files: ['readUploads', 'removeUploads', 'writePictures', 'writeExpertise'],
  memory: 1769,
  timeout: 29,
  // A file is committed once; a repeat reads the record.
  repeat: 'safe',
  body: v.object({ file: described(Uuid, 'Id of the file, from `files/add`.') }),
  response: v.union([AnsweredWine, Product, Category, ShownMerchant]),
  errors: ['upload_not_found', 'file_invalid', 'reference_not_found'],
  summary:
    'Checks an uploaded file by decoding it, sets it as the picture, PDF or logo of its record, and returns the record.',
})
