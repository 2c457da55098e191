import { unknown } from '../shared/contract/routes/unknown.ts'
import { refusing } from '../shared/http/serve.ts'

export const handler = refusing(unknown, 'route_not_found')
