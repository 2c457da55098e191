import { Difference } from './compare.ts'

/** A request as it is sent. */
export type Request = { url: string; method: string; headers: Record<string, string>; body?: string | FormData }

/** An answer; `json` is undefined if the body is not JSON. */
export type Reply = { status: number; headers: Headers; bytes: Buffer; json: unknown }

const jsonIn = (headers: Headers, bytes: Buffer): unknown => {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

/**
 * Sends a request once: what a repeat would heal is a difference as well. Redirects are not followed. Throws Difference
 * when no whole answer arrives within `timeout` milliseconds.
 */
export const send = async ({ url, ...request }: Request, timeout: number): Promise<Reply> => {
  const over = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: over })
    const bytes = Buffer.from(await response.arrayBuffer())
    const { status, headers } = response
    return { status, headers, bytes, json: jsonIn(headers, bytes) }
  } catch (error) {
    throw new Difference(over.aborted ? `no answer within ${timeout / 1000} s` : `no answer: ${reasonOf(error)}`)
  }
}
