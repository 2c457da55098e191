import * as v from 'valibot'
import { route } from '../route.ts'
import { described, Flag, idOrName, Timestamp, word } from '../schema/wire.ts'
import { OrderReference } from './checkout.ts'

export const ordersGetDocument = route({
  path: '/service/orders/getDocument',
  level: 'service',
  client: 'narrows',
  permissions: {
    order: ['batchGet'],
    orderItems: ['batchGet'],
    orderUuid: ['get'],
    merchant: ['get'],
    // For what an invoice lacks, such as the reason of an order without tax.
    client: ['get'],
    documentFile: ['get', 'put'],
  },
  files: ['readDocuments', 'writeDocuments', 'readDrafts', 'writeDrafts', 'readPictures'],
  // A repeat finds the file that the first request stored.
  repeat: 'safe',
  memory: 1769,
  timeout: 29,
  body: v.object({
    ...OrderReference.entries,
    document: described(word(['invoice', 'credit_advice', 'delivery_note']), 'Kind of the document.'),
    number: described(
      v.nullish(idOrName('a document', number => number || undefined)),
      'Number of the document, as `R-5`, or its id; the newest of the order if left out.',
    ),
    format: described(
      word(['pdf', 'xml']),
      'Form of the document: `pdf`, for invoices and credit advices with the XML inside, or `xml`, their e-invoice (EN 16931).',
    ),
    incomplete: described(
      v.optional(Flag),
      '1 draws a PDF that lacks particulars, too: without XML, and not kept. Without it such a request is refused.',
    ),
  }),
  response: v.strictObject({
    url: described(v.string(), 'Link to the document, for this click.'),
    expires: described(Timestamp, 'End of the link, UTC.'),
  }),
  errors: ['missing_identifier', 'identifier_conflict', 'order_not_found', 'document_not_found', 'invoice_incomplete'],
  summary: 'Returns a link to an invoice, credit advice or delivery note; an invoice or credit advice is drawn once.',
})
