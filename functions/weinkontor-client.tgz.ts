import { clientPackage } from '../shared/contract/reference.ts'
import { clientPackageReply } from '../shared/http/reference/client-package.ts'
import { serve } from '../shared/http/serve.ts'

export const handler = serve(clientPackage, async ({ headers }) => clientPackageReply(headers['if-none-match']))
