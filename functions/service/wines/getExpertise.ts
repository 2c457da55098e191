import { winesGetExpertise } from '../../../shared/contract/wines.ts'
import { ensureExpertise } from '../../../shared/documents/expertise/store.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(winesGetExpertise, async ({ body, merchant }) => ensureExpertise(merchant, body.id))
