import { register } from '../../../shared/clients/accounts.ts'
import { clientsRegister } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsRegister, async ({ body, merchant }) => {
  const { password, name, ...person } = body.data
  const data = { ...person, last_name: person.last_name ?? name ?? null }
  const { gender = null, title = null, first_name = null, last_name, company = null } = data
  return { ...(await register(merchant, data, password)), gender, title, first_name, last_name, company }
})
