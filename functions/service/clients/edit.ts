import { editClient } from '../../../shared/clients/profile.ts'
import { clientsEdit } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsEdit, async ({ body, merchant, client }) => editClient(merchant, client, body.data))
