import { winesGetByType } from '../../../shared/contract/wines.ts'
import { notBuilt, serve } from '../../../shared/http/serve.ts'

export const handler = serve(winesGetByType, notBuilt)
