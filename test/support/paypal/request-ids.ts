import { type Answer, Refused } from './answers.ts'

type Known = { request: string; answer: Answer | null }

/**
 * PayPal's memory of request ids: a repeated id gets the first result, a refusal as well; while the first is still at
 * work it gets a 409, and with another request it is refused. PayPal forgets them after six hours: `forget`.
 */
export const requestIds = () => {
  const known = new Map<string, Known>()

  return {
    forget: () => known.clear(),

    /** The first result of an id, null when the request is new; it is at work from then on until `keep`. */
    recall: (account: string, id: string, request: string): Answer | null => {
      const place = `${account} ${id}`
      const found = known.get(place)
      if (!found) {
        known.set(place, { request, answer: null })
        return null
      }
      if (found.request !== request) throw new Refused(422, 'UNPROCESSABLE_ENTITY', 'PAYPAL_REQUEST_ID_PREVIOUSLY_USED')
      if (!found.answer) throw new Refused(409, 'RESOURCE_CONFLICT', 'PREVIOUS_REQUEST_IN_PROGRESS')
      const { status } = found.answer
      return { ...found.answer, status: status === 201 ? 200 : status }
    },

    /** Keeps the result of an id; a failure of PayPal's own is none, and frees the id. */
    keep: (account: string, id: string, answer: Answer | null): void => {
      const place = `${account} ${id}`
      const found = known.get(place)
      if (!found) return
      if (answer && answer.status < 500) found.answer = answer
      else known.delete(place)
    },
  }
}

export type RequestIds = ReturnType<typeof requestIds>
