import { createServer, type RequestListener } from 'node:http'
import { listenOnLoopback } from '../../lib/twin/loopback.ts'
import { afterFile } from './jest/environment.ts'

/** Starts a server on this machine that ends with the test file; returns its URL. */
export const localServer = async (answer: RequestListener): Promise<string> => {
  const { url, close } = await listenOnLoopback(createServer(answer))
  afterFile(close)
  return url
}
