import { editClient } from '../../../shared/clients/profile.ts'
import { clientsEdit } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsEdit, async ({ body, merchant, client }) => {
  const { username, password, ...data } = body.data
  const mail = data.mail ?? username
  return editClient(merchant, client, mail === null ? data : { ...data, mail }, password)
})
