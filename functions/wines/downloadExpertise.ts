import { downloadExpertise } from '../../shared/contract/wines.ts'
import { notBuilt, serve } from '../../shared/http/serve.ts'

export const handler = serve(downloadExpertise, notBuilt)
