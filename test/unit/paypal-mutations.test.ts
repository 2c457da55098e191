import fc from 'fast-check'
import type { PaymentView } from '../../shared/payments/provider.ts'
import { captureLog } from '../support/captured-log.ts'
import { fresh, request, server, verbs, wordOf } from '../support/paypal-harness.ts'

const { texts: lines } = captureLog()

import { captured, captureId, created, expired, order, orderId, refund, refusal } from '../support/paypal/scripted.ts'

describe('for any answer of the provider', () => {
  const json = fc.jsonValue({ maxDepth: 2 })
  const odd = fc.oneof(
    json,
    fc.constantFrom('0.01', '25.18', '1e3', '-25.19', '٢٥.١٩', -0),
    fc.constantFrom('COMPLETED', 'PENDING', 'DECLINED', 'APPROVED', 'USD', true),
  )

  type Path = (string | number)[]
  const pathsIn = (value: unknown): Path[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]) => [[name], ...pathsIn(inner).map(path => [name, ...path])])

  const changed = (value: unknown, [name, ...rest]: Path, put: unknown, gone: boolean): unknown => {
    if (name === undefined) return put
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
    if (rest.length === 0 && gone) delete copy[name]
    else copy[name] = changed(copy[name], rest, put, gone)
    return copy
  }

  const documented = [
    order('COMPLETED', [captured()]),
    order('COMPLETED', [captured('PENDING')]),
    order('COMPLETED', [captured('DECLINED', { id: 'FIRST' }), captured()]),
    order('APPROVED'),
    created(),
    refund(),
    refusal('INSTRUMENT_DECLINED'),
    refusal('ORDER_ALREADY_CAPTURED'),
  ]

  const read = new Set<unknown>(['status', 'amount', 'value', 'currency_code', 'final_capture', 'id'])

  const mutation = fc.constantFrom(...documented).chain(({ body }) => {
    const paths = pathsIn(body)
    const telling = paths.filter(path => path.includes('captures') && read.has(path.at(-1)))
    // Most of an answer is never read, and changing it shows little.
    const path = fc.oneof(fc.constantFrom(...paths), fc.constantFrom(...(telling.length > 0 ? telling : paths)))
    const change = fc.record({ path, put: odd, gone: fc.boolean() })
    return fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map(changes => changes.reduce((whole, { path, put, gone }) => changed(whole, path, put, gone), body))
  })

  const answered = fc.record({
    status: fc.constantFrom(200, 201, 204, 400, 404, 422),
    raw: fc.oneof(
      { weight: 4, arbitrary: mutation.map(body => JSON.stringify(body)) },
      { weight: 1, arbitrary: json.map(body => JSON.stringify(body)) },
      { weight: 1, arbitrary: fc.string() },
    ),
  })

  type Taken = { id: string; status: string; final_capture: unknown; amount: { value: string; currency_code: string } }

  const isPaid = ({ status, final_capture }: Taken) => status === 'COMPLETED' && final_capture === true

  /**
   * The completed, final captures in an order's text: their ids, and what they and all that may still become
   * one amount to; no amount when that is in several currencies.
   */
  const takenIn = (raw: string): { ids: string[]; amount: number | null } => {
    const captures: Taken[] = JSON.parse(raw).purchase_units[0].payments.captures
    const counted = captures.filter(one => isPaid(one) || !['DECLINED', 'FAILED'].includes(one.status))
    const currencies = new Set(counted.map(({ amount }) => amount.currency_code))
    const cents = counted.map(({ amount }) => Math.round(Number(amount.value) * 100))
    return {
      ids: captures.filter(isPaid).map(({ id }) => id),
      amount: currencies.size === 1 ? cents.reduce((sum, one) => sum + one, 0) : null,
    }
  }

  test('only a completed capture counts as paid, and only a Problem is thrown', async () => {
    const provider = fresh()
    await fc.assert(
      fc.asyncProperty(answered, async answer => {
        server.answers({ create: [answer], look: [answer], capture: [answer], refund: [answer] })
        for (const asked of [provider.inspect(orderId), provider.capture(orderId, 'capture')]) {
          const view = (await wordOf(asked)) as PaymentView | string
          if (typeof view === 'string' || view.state !== 'captured') continue
          const { ids, amount } = takenIn(answer.raw)
          expect(ids).toContain(view.captureId)
          expect(view.amount).toBe(amount)
        }
        await wordOf(provider.open(request))
        const refunded = (await wordOf(provider.refund(captureId, 2519, 'refund', 'p', 'EUR'))) as { state?: string }
        if (refunded.state === 'pending') expect(answer.raw).toContain('PENDING')
      }),
      { numRuns: 150 },
    )
  })

  test('neither secret nor token is in the log or an error', async () => {
    const echo = { name: 'A21AAFs9YK-token', details: [{ issue: 'secret-7' }], debug_id: 'secret-7 A21AAFs9YK-token' }
    const errors: unknown[] = []
    for (const answer of [
      { status: 422, body: echo },
      { status: 500, body: echo },
      { status: 200, body: echo },
      expired,
    ]) {
      server.answers({ create: [answer], look: [answer], capture: [answer], refund: [answer] })
      for (const verb of Object.values(verbs)) await verb().catch(error => errors.push(error))
    }
    server.answers({ token: [{ status: 401, body: echo }] })
    await verbs.inspect().catch(error => errors.push(error))
    expect(lines).not.toEqual([])
    const all = JSON.stringify([lines, errors.map(error => [error, (error as Error).message, (error as Error).stack])])
    expect(all).not.toMatch(/secret-7|A21AAFs9YK|Bearer|Basic/)
  })
})
