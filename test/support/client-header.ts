import { routes } from '../../shared/contract/index.ts'

const ofClients = new Set<string>(routes.filter(({ client }) => client === 'required').map(({ path }) => path))

/** The header that a route needs which is about a client who is signed in; none for other routes. */
export const clientHeader = (path: string, token: string): Record<string, string> =>
  ofClients.has(path) ? { 'client-authorization': token } : {}
