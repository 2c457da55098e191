import { register } from '../../../shared/clients/accounts.ts'
import { clientsRegister } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsRegister, async ({ body, merchant }) => {
  const { password, name, ...data } = body.data
  return register(merchant, { ...data, last_name: data.last_name ?? name ?? null }, password)
})
