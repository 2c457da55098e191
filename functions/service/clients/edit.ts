import { editClient } from '../../../shared/clients/profile.ts'
import { clientsEdit } from '../../../shared/contract/routes/clients.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(clientsEdit, async ({ body, merchant, client }) => {
  const { username, password, ...data } = body.data
  const mail = data.mail ?? username
  return editClient(merchant, client, mail === null ? data : { ...data, mail }, password)
})
