import { clientPackage } from '../shared/contract/routes/reference.ts'
import { serve } from '../shared/http/serve.ts'
import { clientPackageReply } from '../shared/reference/client-package.ts'

export const handler = serve(clientPackage, async ({ headers }) => clientPackageReply(headers['if-none-match']))
