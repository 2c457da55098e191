import { type Checkout, sandboxCheckout } from '../../lib/twin/sandbox/checkout.ts'
import { approvePage } from '../../lib/twin/sandbox/page.ts'
import type { SandboxPaymentItem } from '../../shared/platform/table/items.ts'
import { escapeMarkup } from '../../shared/values/markup.ts'

const payment: SandboxPaymentItem = {
  id: 'SBX0123456789ABCDEF012',
  payment: '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47',
  merchantName: 'Weingut Elbufer',
  orderNumber: '17',
  amount: 2519,
  currency: 'EUR',
  returnUrl: 'https://shop.example/danke?order=17&pid=0193d2a4',
  cancelUrl: 'http://localhost:8080/korb?x=1',
  state: 'open',
  behaviour: 'prompt',
  nonce: 'a1b2c3',
  payerId: null,
  captures: 0,
  captureId: null,
  effective: null,
  refunded: 0,
}

const policyOf = (changes: Partial<SandboxPaymentItem>) =>
  approvePage({ ...payment, ...changes } as SandboxPaymentItem, 'de').headers['content-security-policy'] ?? ''

describe('the approve page', () => {
  const { statusCode, headers, body } = approvePage(payment, 'de')

  test('shows amount, merchant and order, and offers the possible choices', () => {
    expect(statusCode).toBe(200)
    for (const shown of ['25,19\u00a0€', 'Weingut Elbufer', '>17<', payment.id]) expect(body).toContain(shown)
    expect([...body.matchAll(/<button name="choice" value="(\w+)"/g)].map(([, choice]) => choice)).toEqual([
      'approve',
      'decline',
      'cancel',
    ])
    expect([...body.matchAll(/type="radio" name="behaviour" value="(\w+)"/g)].map(([, one]) => one)).toEqual([
      'prompt',
      'pending',
      'slow',
      'lost',
    ])
    expect(body).toContain('<input type="hidden" name="nonce" value="a1b2c3">')
  })

  test('is in German and English, with amounts in the notation of each', () => {
    const english = approvePage(payment, 'en').body
    expect(body).toMatch(/<html lang="de">.*Zu zahlen\n<strong>25,19\u00a0€<.*>Zustimmen</s)
    expect(english).toMatch(/<html lang="en">.*Amount to pay\n<strong>€25\.19<.*>Approve</s)
    expect(english).not.toMatch(/Zahlung|Händler|Bestellung/)
  })

  test('needs no script, and allows none', () => {
    expect(body).not.toMatch(/<script|\son\w+=|https?:/)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^ ;]+'; form-action/)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })

  test('allows its form to redirect to the shop only', () => {
    expect(policyOf({})).toContain("form-action 'self' https://shop.example http://localhost:8080; base-uri 'none'")
    const odd = { returnUrl: 'https://a;script-src/x', cancelUrl: 'https://shop.example,b/x' }
    expect(policyOf(odd)).toContain("form-action 'self'; base-uri 'none'")
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)",
    '&lt;b&gt;',
  ])('escapes a name such as %s', text => {
    const page = approvePage({ ...payment, merchantName: text, orderNumber: text, nonce: text }, 'de').body
    const markup = approvePage({ ...payment, merchantName: '', orderNumber: '', nonce: '' }, 'de').body
    expect(page).toContain(`<dd>${escapeMarkup(text)}</dd>`)
    expect(page.match(/[<>"]/g)).toEqual(markup.match(/[<>"]/g))
  })

  test('of a pending payment offers to complete or fail it', () => {
    const { body: pending } = approvePage({ ...payment, state: 'pending', captures: 1 }, 'en')
    expect(pending).toContain('value="settle"')
    expect(pending).toContain('value="fail"')
    expect(pending).not.toContain('value="approve"')
  })

  test.each([
    ['approved', 0],
    ['captured', 1],
    ['declined', 1],
  ] as const)('of a payment that is %s offers nothing', (state, captures) => {
    expect(approvePage({ ...payment, state, captures }, 'en').body).not.toContain('<form')
  })

  test.each([
    'declined',
    'cancelled',
  ] as const)('of a payment that is %s and was never captured offers all choices again', state => {
    expect(approvePage({ ...payment, state }, 'en').body).toContain('value="approve"')
  })
})

describe('the checkout', () => {
  const chosen: unknown[] = []
  const decisions: unknown[] = []
  const checkout: Checkout = {
    find: async id => (id === payment.id ? payment : undefined),
    choose: async (id, choice) => {
      chosen.push([id, choice])
      return choice.nonce === payment.nonce ? { ...payment, payerId: 'PAYER7' } : undefined
    },
    sendEvent: ({ id }, choice) => {
      decisions.push([id, choice])
    },
  }
  const { prefix, serve } = sandboxCheckout(checkout)
  const path = `/sandbox/pay/${payment.id}`
  const headers = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }
  const post = (body: string) => serve({ method: 'POST', path, headers, body })

  test('redirects the payer to the stored URL, with the ids that the shop needs', async () => {
    const { statusCode, headers } = await post(
      'nonce=a1b2c3&choice=approve&behaviour=pending&returnUrl=https://evil.example',
    )
    expect(statusCode).toBe(303)
    expect(headers?.location).toBe(
      `https://shop.example/danke?order=17&pid=0193d2a4&token=${payment.id}&PayerID=PAYER7`,
    )
    expect(chosen.at(-1)).toEqual([payment.id, { nonce: 'a1b2c3', choice: 'approve', behaviour: 'pending' }])
    expect((await post('nonce=a1b2c3&choice=decline&behaviour=prompt')).headers?.location).toContain('PayerID=PAYER7')
  })

  test('redirects a payer who cancels to the cancel URL', async () => {
    const { headers } = await post('nonce=a1b2c3&choice=cancel&behaviour=prompt')
    expect(headers?.location).toBe(`http://localhost:8080/korb?x=1&token=${payment.id}`)
  })

  test('accepts a form once', async () => {
    expect(await post('nonce=used&choice=approve')).toMatchObject({ statusCode: 409 })
  })

  test('sends the service an event if the form requests it, and none for a refused choice', async () => {
    expect(approvePage(payment, 'en').body).toContain('<input type="checkbox" name="event" value="sent" checked>')
    decisions.length = 0
    for (const form of ['nonce=a1b2c3&choice=approve', 'nonce=used&choice=approve&event=sent'])
      await post(`${form}&behaviour=prompt`)
    expect(decisions).toEqual([])
    await post('nonce=a1b2c3&choice=settle&event=sent')
    expect(decisions).toEqual([[payment.id, 'settle']])
  })

  test.each([
    '',
    'nonce=a1b2c3',
    'choice=approve',
    'nonce=a1b2c3&choice=__proto__',
    'nonce=a1b2c3&choice=approve&behaviour=decline',
  ])('refuses the incomplete form %j', async body => {
    const before = chosen.length
    expect(await post(body)).toMatchObject({ statusCode: 400 })
    expect(chosen).toHaveLength(before)
  })

  test.each([
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['de', 'de'],
    ['en-GB,de;q=0.5', 'en'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['*', 'en'],
    ['', 'en'],
  ] as const)('answers a browser that accepts %j in %s', async (accepted, language) => {
    const asked = { method: 'GET', path, headers: { 'accept-language': accepted }, body: '' }
    expect(await serve(asked)).toEqual(approvePage(payment, language))
    const { body: unknown } = (await serve({ ...asked, path: `${path}x` })) as { body: string }
    expect(unknown).toContain(`<html lang="${language}">`)
  })

  test('answers GET and HEAD with the page, and refuses other methods and URLs', async () => {
    expect(path.startsWith(prefix)).toBe(true)
    expect(await serve({ method: 'GET', path, headers, body: '' })).toEqual(approvePage(payment, 'de'))
    expect(await serve({ method: 'HEAD', path, headers, body: '' })).toMatchObject({ statusCode: 200 })
    expect(await serve({ method: 'PUT', path, headers, body: '' })).toMatchObject({ statusCode: 405 })
    for (const other of [`${path}/`, `${path}x`, prefix, `${prefix}<script>`]) {
      expect(await serve({ method: 'GET', path: other, headers, body: '' })).toMatchObject({ statusCode: 404 })
    }
  })
})
