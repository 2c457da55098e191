import { winesGet } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { findWine } from '../../../shared/wines/store.ts'

export const handler = serve(winesGet, async ({ body, merchant }) => findWine(merchant, body))
