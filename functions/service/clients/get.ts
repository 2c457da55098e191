import { getClient } from '../../../shared/clients/profile.ts'
import { clientsGet } from '../../../shared/contract/routes/clients.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(clientsGet, async ({ merchant, client }) => getClient(merchant, client.id))
