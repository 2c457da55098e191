import { getClient } from '../../../shared/clients/profile.ts'
import { clientsGet } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsGet, async ({ merchant, client }) => getClient(merchant, client.id))
