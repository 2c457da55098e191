import { endClientSession } from '../../../shared/clients/sessions.ts'
import { clientsLogout } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsLogout, async ({ client }) => {
  await endClientSession(client)
  return { id: client.id }
})
