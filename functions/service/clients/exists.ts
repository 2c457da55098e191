import { clientByMail } from '../../../shared/clients/profile.ts'
import { clientsExists } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsExists, async ({ body, merchant }) => clientByMail(merchant, body.mail))
