import { addWine } from '../../../shared/catalogue/wines/edit.ts'
import { winesAdd } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(winesAdd, async ({ body, merchant, session }) =>
  addWine(merchant, session.user.id, body.data),
)
