import { Logger } from '@aws-lambda-powertools/logger'

/** The structured log. Callers pass an allow-list of fields; bodies, tokens and query strings never go in. */
export const log = new Logger({ serviceName: 'weinkontor' })
