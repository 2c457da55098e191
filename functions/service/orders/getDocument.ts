import { ordersGetDocument } from '../../../shared/contract/routes/order-documents.ts'
import { documentLink } from '../../../shared/documents/invoices/store.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(ordersGetDocument, async ({ body, merchant, client }) =>
  documentLink(merchant, body, client),
)
