import { filesCommit } from '../../../shared/contract/routes/files.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { commitUpload } from '../../../shared/media/uploads/commit.ts'

export const handler = serveMerchant(filesCommit, async ({ merchant, body }) => commitUpload(merchant, body.file))
