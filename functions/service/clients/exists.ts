import { clientByMail } from '../../../shared/clients/profile.ts'
import { clientsExists } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsExists, async ({ body, merchant }) => clientByMail(merchant, body.mail))
