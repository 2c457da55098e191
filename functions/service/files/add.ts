import { filesAdd } from '../../../shared/contract/files.ts'
import { openUpload } from '../../../shared/documents/uploads/open.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(filesAdd, async ({ merchant, body }) => openUpload(merchant, body))
