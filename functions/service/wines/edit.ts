import { editWine } from '../../../shared/catalogue/wines/edit.ts'
import { winesEdit } from '../../../shared/contract/routes/wine-writes.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(winesEdit, async ({ body, merchant }) => editWine(merchant, body.id, body.data))
