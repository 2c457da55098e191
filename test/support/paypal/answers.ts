/** One answer: a JSON body, or `raw` text; after `wait` milliseconds; or none, the connection `cut`. */
export type Answer = {
  status: number
  body?: unknown
  raw?: string
  wait?: number
  cut?: true
  headers?: Record<string, string>
}

/** A refusal in PayPal's words. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(status: number, name: string, issue: string, headers?: Record<string, string>) {
    super(issue)
    const body = { name, message: `${name}.`, debug_id: 'f7707100bc347', details: [{ issue, description: issue }] }
    this.answer = { status, body, ...(headers && { headers }) }
  }
}

export const unknown = (): Refused => new Refused(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
