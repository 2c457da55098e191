import { endClientSession } from '../../../shared/clients/sessions.ts'
import { clientsLogout } from '../../../shared/contract/routes/clients.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(clientsLogout, async ({ client }) => {
  await endClientSession(client)
  return { id: client.id }
})
