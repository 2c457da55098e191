import { editWine } from '../../../shared/catalogue/wines/edit.ts'
import { winesEdit } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(winesEdit, async ({ body, merchant }) => editWine(merchant, body.id, body.data))
