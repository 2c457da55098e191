import { filesAdd } from '../../../shared/contract/routes/files.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { openUpload } from '../../../shared/media/uploads/open.ts'

export const handler = serveMerchant(filesAdd, async ({ merchant, body }) => openUpload(merchant, body))
