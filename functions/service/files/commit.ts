import { filesCommit } from '../../../shared/contract/files.ts'
import { commitUpload } from '../../../shared/documents/uploads/commit.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(filesCommit, async ({ merchant, body }) => commitUpload(merchant, body.file))
