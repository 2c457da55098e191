import { winesEdit } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { editWine } from '../../../shared/wines/edit.ts'

export const handler = serve(winesEdit, async ({ body, merchant }) => editWine(merchant, body.id, body.data))
