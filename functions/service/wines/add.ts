import { winesAdd } from '../../../shared/contract/wines.ts'
import { notBuilt, serve } from '../../../shared/http/serve.ts'

export const handler = serve(winesAdd, notBuilt)
