import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of the twin's on this machine, on a port of its own. */
export type LocalServer = { url: string; close(): Promise<void> }

/** Lets a server listen on loopback, on any free port. Its callers keep their connections, as an SDK does. */
export const listenOnLoopback = async (server: Server): Promise<LocalServer> => {
  server.keepAliveTimeout = 60_000
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening))
  const close = async () => {
    const closed = new Promise(done => server.close(done))
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
