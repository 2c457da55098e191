import { activate } from '../../../shared/clients/accounts.ts'
import { clientsActivate, hashIn } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsActivate, async ({ body, merchant }) => activate(merchant, hashIn(body)))
