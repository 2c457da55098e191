import { randomUUID } from 'node:crypto'
import { Problem } from '../../shared/contract/errors.ts'
import type { OpenRequest, PaymentView } from '../../shared/payments/provider.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { type Json, twin } from '../support/harness.ts'

Object.assign(process.env, { STAGE: 'twin', SANDBOX_URL: twin.url })

const provider = sandbox()
const times = (count: number) => Array.from({ length: count })

const requestOf = (payment = randomUUID()): OpenRequest => ({
  payment,
  order: { uuid: randomUUID(), number: '17' },
  merchantName: 'Weingut <Elbufer>',
  amount: 2519,
  currency: 'EUR',
  returnUrl: `https://shop.example/danke?pid=${payment}`,
  cancelUrl: 'https://shop.example/korb',
  requestId: `${payment}:create`,
})

const pageOf = async (url: string) => (await fetch(url)).text()
const nonceIn = (html: string) => /name="nonce" value="(\w+)"/.exec(html)?.[1] ?? ''

/** Sends the form of an approve page as a browser does. */
const send = (url: string, nonce: string, choice: string, behaviour = 'prompt') =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ nonce, choice, behaviour }) })

const choose = async (url: string, choice: string, behaviour?: string) =>
  send(url, nonceIn(await pageOf(url)), choice, behaviour)

/** A payment on which was chosen. */
const chosen = async (choice: string, behaviour?: string) => {
  const request = requestOf()
  const { externalId: id, targetUrl } = await provider.open(request)
  const answer = await choose(targetUrl, choice, behaviour)
  return { request, id, targetUrl, location: new URL(answer.headers.get('location') ?? '') }
}

const wordOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch(error => (error instanceof Problem ? error.word : Promise.reject(error)))

const capture = (id: string, by = provider): Promise<PaymentView> => by.capture(id, `${id}:capture`)
const capturesOf = async (id: string) => (await findSandboxPayment(id))?.captures

describe('opening', () => {
  test('returns the URL of an approve page with the payment', async () => {
    const request = requestOf()
    const { externalId, targetUrl } = await provider.open(request)
    expect(targetUrl).toBe(`${twin.url}/sandbox/pay/${externalId}`)
    const page = await fetch(targetUrl)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example;")
    expect(await page.text()).toContain('Weingut &lt;Elbufer&gt;')
    expect(await provider.inspect(externalId)).toEqual({
      state: 'open',
      amount: 2519,
      currency: 'EUR',
      customId: request.payment,
      payerId: null,
      captureId: null,
      refunded: null,
      reason: null,
    })
  })
})

describe('the choice at the approve page', () => {
  test('redirects an approving payer with payment, token and PayerID', async () => {
    const { request, id, location } = await chosen('approve')
    const { payerId } = await provider.inspect(id)
    expect(location.origin + location.pathname).toBe('https://shop.example/danke')
    expect(Object.fromEntries(location.searchParams)).toEqual({ pid: request.payment, token: id, PayerID: payerId })
  })

  test('counts once: a form that was sent before, or belongs to another payment, is refused', async () => {
    const { targetUrl } = await provider.open(requestOf())
    const nonce = nonceIn(await pageOf(targetUrl))
    const answers = await Promise.all(times(5).map(() => send(targetUrl, nonce, 'approve')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409, 409])
    const other = await provider.open(requestOf())
    expect((await send(other.targetUrl, nonce, 'approve')).status).toBe(409)
    expect((await fetch(`${twin.url}/sandbox/pay/SBX0`)).status).toBe(404)
  })

  test('to cancel redirects to the cancel URL, and the payer may still pay', async () => {
    const { id, targetUrl, location } = await chosen('cancel')
    expect(location.href).toBe(`https://shop.example/korb?token=${id}`)
    expect(await capture(id)).toMatchObject({ state: 'cancelled' })
    await choose(targetUrl, 'approve')
    expect(await capture(id)).toMatchObject({ state: 'captured' })
  })
})

describe('capturing', () => {
  test('happens once for concurrent requests with any ids', async () => {
    const { id } = await chosen('approve')
    const views = await Promise.all(times(30).map((_, n) => provider.capture(id, `capture ${n % 3}`)))
    expect(views[0]).toMatchObject({ state: 'captured', amount: 2519, captureId: `${id}-C1` })
    expect(new Set(views.map(view => JSON.stringify(view))).size).toBe(1)
    expect(await capturesOf(id)).toBe(1)
  })
})

describe('refunding', () => {
  test('happens once for a request id, and never beyond the captured amount', async () => {
    const { id } = await chosen('approve')
    const { captureId } = await capture(id)
    const back = (amount: number, requestId: string): Promise<Json> =>
      wordOf(provider.refund(captureId ?? '', amount, requestId, 'p', 'EUR'))
    const [first, ...others] = await Promise.all(times(8).map(() => back(2000, 'first')))
    expect(first).toMatchObject({ state: 'refunded' })
    for (const other of others) expect(other).toEqual(first)
    expect(await back(520, 'second')).toBe('payment_provider_error')
    expect(await provider.inspect(id)).toMatchObject({ state: 'captured', refunded: 2000 })
    expect(await back(519, 'third')).toMatchObject({ state: 'refunded' })
    expect(await provider.inspect(id)).toMatchObject({ state: 'refunded', refunded: 2519 })
    expect(await provider.inspectRefund(first.refundId)).toEqual(first)
    expect(await wordOf(provider.inspectRefund(`${id}-R00000000`))).toBe('payment_provider_error')
  })
})
