import { unknown } from '../shared/contract/routes/unknown.ts'
import { refuseWith } from '../shared/http/serve.ts'

export const handler = refuseWith(unknown, 'route_not_found')
