import { routes } from '../../shared/contract/routes/index.ts'

const ofClients = new Set<string>(routes.filter(({ client }) => client === 'required').map(({ path }) => path))

/** The header of a signed-in client, for routes that require one; none for other routes. */
export const clientHeader = (path: string, token: string): Record<string, string> =>
  ofClients.has(path) ? { 'client-authorization': token } : {}
