import { winesGetByType } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listType } from '../../../shared/wines/lists.ts'

export const handler = serve(winesGetByType, async ({ body, merchant }) => {
  const { type, max, ...asked } = body
  return listType(merchant, type, { ...asked, pageSize: Math.min(max ?? 100, 100) })
})
