import { randomUUID } from 'node:crypto'
import { makeSigner } from '../../lib/twin/sandbox/certificate.ts'
import { Problem } from '../../shared/contract/errors.ts'
import { isCertificateUrl, paypalCertificates } from '../../shared/payments/paypal/certificates.ts'
import { isWatched, paymentNamedIn } from '../../shared/payments/paypal/event.ts'
import { verifySignature } from '../../shared/payments/paypal/signature.ts'
import { rfc3339, type Signing, signedHeaders, startCertificates } from '../support/webhook-events.ts'

const server = await startCertificates()
afterAll(() => server.close())

const [minute, day] = [60_000, 24 * 3_600_000]
const webhookId = '0EH40505U7160970P'
const certificates = { origin: server.origin, commonNames: ['localhost'] }
const trust = { webhookId, certificates }

const signer = makeSigner()
let count = 0
const served = (give: Parameters<typeof server.serve>[1]) => server.serve(`CERT-${count++}`, give)
const certificateUrl = served(signer.certificate)

// Signed are bytes, of which letters may take several.
const body = JSON.stringify({ id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', summary: '25,19 € für Müller' })
const usual: Signing = { signer, webhookId, certificateUrl }

type Changes = { headers?: Record<string, string | undefined>; body?: Buffer; trust?: Partial<typeof trust> }

/** Signs the body and verifies the delivered one. Returns true, or the word of the refusal. */
const check = async (signing: Partial<Signing> = {}, changes: Changes = {}): Promise<unknown> => {
  const headers = { ...signedHeaders(body, { ...usual, ...signing }), ...changes.headers }
  try {
    await verifySignature({ headers, body: changes.body ?? Buffer.from(body) }, { ...trust, ...changes.trust })
    return true
  } catch (error) {
    return error instanceof Problem ? error.word : Promise.reject(error)
  }
}

const refused = 'webhook_signature_invalid'

describe('a webhook delivery', () => {
  test('with PayPal’s documented signature is accepted repeatedly, and its certificate fetched once', async () => {
    const before = server.asked.length
    const url = served(signer.certificate)
    const all = await Promise.all(Array.from({ length: 20 }, () => check({ certificateUrl: url })))
    expect(new Set(all)).toEqual(new Set([true]))
    expect(await check({ certificateUrl: url })).toBe(true)
    expect(server.asked.length - before).toBe(1)
  })

  test.each([
    'auth-algo',
    'cert-url',
    'transmission-id',
    'transmission-time',
    'transmission-sig',
  ])('without its header paypal-%s, or with two of it, is refused', async name => {
    const header = `paypal-${name}`
    const own = signedHeaders(body, usual)[header]
    for (const value of [undefined, '', ' ', `${own},${own}`, `${own} `])
      expect([value, await check({}, { headers: { [header]: value } })]).toEqual([value, refused])
  })

  test('with another id, time or signature than the signed one is refused', async () => {
    const signing = { id: 'fixed', time: Date.now() }
    const signature = signedHeaders(body, { ...usual, ...signing })['paypal-transmission-sig'] ?? ''
    expect(await check(signing, { headers: { 'paypal-transmission-sig': signature } })).toBe(true)
    const other = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    for (const changed of [
      { 'paypal-transmission-id': randomUUID() },
      { 'paypal-transmission-time': rfc3339(Date.now() - 2000) },
      { 'paypal-transmission-sig': other },
      { 'paypal-transmission-sig': signature.slice(4) },
      { 'paypal-transmission-sig': Buffer.alloc(256).toString('base64') },
      { 'paypal-transmission-sig': `!${signature}` },
      { 'paypal-transmission-sig': `${signature}!` },
    ])
      expect([changed, await check(signing, { headers: changed })]).toEqual([changed, refused])
  })

  test.each([
    'SHA1withRSA',
    'sha256withrsa',
    'SHA256withECDSA',
    'none',
    'SHA512withRSA',
  ])('with the algorithm %s is refused', async algorithm => {
    expect(await check({}, { headers: { 'paypal-auth-algo': algorithm } })).toBe(refused)
  })

  test('whose body differs in one byte is refused', async () => {
    const bytes = Buffer.from(body)
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect([at, await check({}, { body: changed })]).toEqual([at, refused])
    }
    expect(await check({}, { body: Buffer.concat([bytes, Buffer.from('\n')]) })).toBe(refused)
    expect(await check({}, { body: bytes.subarray(1) })).toBe(refused)
  })

  test('for the webhook of another merchant is refused', async () => {
    expect(await check({ webhookId: '9XL90610J3647323C' })).toBe(refused)
    expect(await check({}, { trust: { webhookId: '9XL90610J3647323C' } })).toBe(refused)
  })

  test('may have its time in any notation, within the permitted span', async () => {
    const now = Date.now
    const hour = Math.floor(now() / 3_600_000) * 3_600_000
    const at = (seconds = 0, zoneMinutes = 0) =>
      new Date(hour + (seconds + zoneMinutes * 60) * 1000).toISOString().slice(0, 19)
    const [early, late] = [-4 * 24 * 3600, 300]
    Date.now = () => hour
    try {
      for (const written of [
        `${at()}Z`,
        `${at()}.5Z`,
        `${at()}.123456789Z`,
        `${at(0, 150)}+02:30`,
        `${at(0, -330)}-05:30`,
        `${at(late)}Z`,
        `${at(early)}Z`,
      ])
        expect([written, await check({ written })]).toEqual([written, true])
      for (const written of [
        `${at(late)}.001Z`,
        `${at(early - 1)}.999Z`,
        ` ${at()}Z`,
        `1${at()}Z`,
        `+00${at()}Z`,
        `${at()}Z `,
        `${at()}Z\0`,
        `${at()}Zulu`,
        at(),
      ])
        expect([written, await check({ written })]).toEqual([written, refused])
    } finally {
      Date.now = now
    }
  })

  test.each([
    '',
    'a b',
    'a|b',
    ' a',
    'a ',
    'x'.repeat(65),
    'ü',
  ])('with the id %j is refused, signed or not', async id => {
    expect(await check({ id })).toBe(refused)
  })

  test('with an id of 64 characters is accepted', async () => {
    expect(await check({ id: 'x'.repeat(64) })).toBe(true)
  })

  test('signed with another key than the certificate’s is refused', async () => {
    expect(await check({ signer: makeSigner() })).toBe(refused)
  })

  test.each([
    ['is as old as PayPal’s last try', 3 * day, true],
    ['is older than PayPal repeats', 4 * day + minute, refused],
    ['comes from a clock that is a little fast', -4 * minute, true],
    ['comes from the future', -6 * minute, refused],
  ])('that %s: %#', async (_, age, expected) => {
    expect(await check({ time: Date.now() - age })).toBe(expected)
  })

  test.each([
    '2026-02-30',
    'now',
    '2026-11-22 01:00:00',
    '1763773200',
    '2026-13-01T00:00:00Z',
  ])('with the time %s is refused', async time => {
    expect(await check({}, { headers: { 'paypal-transmission-time': time } })).toBe(refused)
  })
})

describe('the certificate', () => {
  const with_ = (certificate: string, by = signer) => check({ signer: by, certificateUrl: served(certificate) })
  const authority = makeSigner({ name: 'Authority', isAuthority: true })

  test('may include those of its issuers', async () => {
    const middle = makeSigner({ name: 'Middle', isAuthority: true, issuer: authority })
    const own = makeSigner({ issuer: middle })
    const chain = [own, middle, authority].map(({ certificate }) => certificate)
    expect(await with_(chain.join('\n'), own)).toBe(true)
    expect(await with_([...chain].reverse().join('\n'), own)).toBe(refused)
  })

  test('is refused if it is followed by another than its issuer', async () => {
    const own = makeSigner({ issuer: authority })
    const namesake = makeSigner({ name: 'Authority', isAuthority: true })
    const layman = makeSigner({ name: 'Layman' })
    const byLayman = makeSigner({ issuer: layman })
    const ended = makeSigner({ name: 'Ended', isAuthority: true, from: Date.now() - 9 * day, to: Date.now() - day })
    const byEnded = makeSigner({ issuer: ended })
    expect(await with_(own.certificate + namesake.certificate, own)).toBe(refused)
    expect(await with_(own.certificate + signer.certificate, own)).toBe(refused)
    expect(await with_(byLayman.certificate + layman.certificate, byLayman)).toBe(refused)
    expect(await with_(byEnded.certificate + ended.certificate, byEnded)).toBe(refused)
    expect(await with_(own.certificate + authority.certificate, own)).toBe(true)
  })

  test('is refused before and after its validity', async () => {
    const now = Date.now()
    const [past, future] = [
      { from: now - 9 * day, to: now - minute },
      { from: now + minute, to: now + day },
    ]
    for (const by of [makeSigner(past), makeSigner(future)]) expect(await with_(by.certificate, by)).toBe(refused)
  })

  test('is valid from its first to its last moment', async () => {
    const from = Math.floor(Date.now() / 1000) * 1000 - minute
    const by = makeSigner({ from, to: from + 2 * minute })
    const url = served(by.certificate)
    const { now } = Date
    const at = async (time: number) => {
      Date.now = () => time
      try {
        return await check({ signer: by, certificateUrl: url, time })
      } finally {
        Date.now = now
      }
    }
    expect([await at(from - 1), await at(from), await at(from + 2 * minute), await at(from + 2 * minute + 1)]).toEqual([
      refused,
      true,
      true,
      refused,
    ])
  })

  test('that expires while it is cached is refused from then on', async () => {
    const by = makeSigner({ to: Date.now() + 10 * minute })
    const url = served(by.certificate)
    const before = server.asked.length
    expect(await check({ signer: by, certificateUrl: url })).toBe(true)
    const { now } = Date
    Date.now = () => now() + 20 * minute
    try {
      expect(await check({ signer: by, certificateUrl: url })).toBe(refused)
    } finally {
      Date.now = now
    }
    expect(server.asked.length - before).toBe(1)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    'LOCALHOST',
    'messageverificationcerts.paypal.com',
  ])('for %s is refused if another name is required', async name => {
    const by = makeSigner({ name })
    expect(await with_(by.certificate, by)).toBe(refused)
  })

  test.each(['one', 'other'])('for %s with several names is accepted if one is the required name', async name => {
    const by = makeSigner({ name })
    const all = { ...certificates, commonNames: ['one', 'other'] }
    expect(await check({ signer: by, certificateUrl: served(by.certificate) }, { trust: { certificates: all } })).toBe(
      true,
    )
  })

  test('with a key that is too short is refused', async () => {
    const by = makeSigner({ bits: 1024 })
    expect(await with_(by.certificate, by)).toBe(refused)
  })

  test('that is malformed or missing is refused', async () => {
    const broken = signer.certificate.replace('MII', 'MIJ')
    for (const text of ['', '<html>', broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])
      expect([text, await with_(text)]).toEqual([text, refused])
    expect(await check({ certificateUrl: `${server.origin}/v1/notifications/certs/CERT-unknown` })).toBe(refused)
  })

  test('that is huge is refused before it is read to its end', async () => {
    const padded = (bytes: number) => signer.certificate.padEnd(bytes, '\n')
    expect([await with_(padded(65_536)), await with_(padded(65_537))]).toEqual([true, refused])
    let sent = 0
    const endless = served(response => {
      const more = () => {
        if (response.destroyed) return
        sent += 65_536
        response.write('x'.repeat(65_536), () => setImmediate(more))
      }
      more()
    })
    expect(await check({ certificateUrl: endless })).toBe(refused)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  test.each([301, 302, 303, 307, 308])('is not fetched through a redirect %s', async status => {
    const goal = served(signer.certificate)
    const before = server.asked.length
    const moved = served(response => response.writeHead(status, { location: goal }).end(signer.certificate))
    expect(await check({ certificateUrl: moved })).toBe(refused)
    expect(server.asked.length - before).toBe(1)
  })

  test.each([429, 500, 503])('that is unavailable because of a %s is requested again', async status => {
    let works = false
    const url = served(response => {
      if (works) response.end(signer.certificate)
      else response.writeHead(status).end()
    })
    expect(await check({ certificateUrl: url })).toBe('temporarily_unavailable')
    const headers = signedHeaders(body, { ...usual, certificateUrl: url })
    await expect(verifySignature({ headers, body: Buffer.from(body) }, trust)).rejects.toMatchObject({
      headers: { 'retry-after': '60' },
    })
    works = true
    expect(await check({ certificateUrl: url })).toBe(true)
  })

  test('makes PayPal repeat the delivery if its server is unavailable', async () => {
    const cut = served(response => response.destroy())
    expect(await check({ certificateUrl: cut })).toBe('temporarily_unavailable')
  })

  test('makes PayPal repeat the delivery if it does not arrive within seconds', async () => {
    const hanging = served(response => response.writeHead(200).write('-----'))
    expect(await check({ certificateUrl: hanging })).toBe('temporarily_unavailable')
  })

  test('is not cached if invalid: the right one may follow', async () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    const texts = [broken, 'none', signer.certificate]
    const url = served(response => response.end(texts.shift()))
    expect([await check({ certificateUrl: url }), await check({ certificateUrl: url })]).toEqual([refused, refused])
    expect(await check({ certificateUrl: url })).toBe(true)
  })

  test('is refused if the answer has no body', async () => {
    expect(await check({ certificateUrl: served(response => response.writeHead(204).end()) })).toBe(refused)
  })
})

describe('the URL of a certificate', () => {
  const live = paypalCertificates('https://api-m.paypal.com')
  const good = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1a5f47cb'

  test('is on the host of the API that the merchant’s credentials are for', () => {
    expect(live.origin).toBe('https://api.paypal.com')
    expect(paypalCertificates('https://api-m.sandbox.paypal.com/')).toEqual({
      origin: 'https://api.sandbox.paypal.com',
      commonNames: ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com'],
    })
    expect(paypalCertificates('http://127.0.0.1:4711/')).toEqual({
      origin: 'http://127.0.0.1:4711',
      commonNames: ['localhost'],
    })
    expect(isCertificateUrl(good, live)).toBe(true)
  })

  test.each([
    good.replace('https', 'http'),
    good.replace('api.', 'api.sandbox.'),
    good.replace('api.', 'api-m.'),
    good.replace('api.', ''),
    good.replace('.com', '.com.evil.example'),
    good.replace('.com', '.com:8443'),
    good.replace('.com', '.com:443'),
    good.replace('.com', '.com.'),
    good.replace('.com/', '.com@evil.example/'),
    good.replace('//', '//user:password@'),
    good.replace('//api', '//evil.example\\@api'),
    good.replace('api', 'API'),
    good.replace('https:', ''),
    good.replace('https', 'HTTPS'),
    good.replace('certs/', 'certs/../../../v1/oauth2/'),
    good.replace('certs/', 'certs/%2e%2e/'),
    good.replace('certs/', 'certs//'),
    good.replace('certs/', 'certs\\'),
    good.replace('certs/', 'CERTS/'),
    good.replace('/v1/notifications/certs', '/v1/identity'),
    good.replace('/v1', '/./v1'),
    `${good}/`,
    `${good}?x=1`,
    `${good}#x`,
    `${good}/../../x`,
    `${good}\n`,
    ` ${good}`,
    `${good}\t`,
    `${good.slice(0, good.indexOf('CERT'))}`,
    `${good}${'A'.repeat(200)}`,
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1/v1/notifications/certs/CERT-1',
    'http://[::1]/v1/notifications/certs/CERT-1',
    'file:///v1/notifications/certs/CERT-1',
    'data:text/plain,CERT-1',
    '//api.paypal.com/v1/notifications/certs/CERT-1',
    '',
  ])('must not be %j', url => {
    expect(isCertificateUrl(url, live)).toBe(false)
  })

  test('is not requested on another host', async () => {
    const before = server.asked.length
    for (const url of [
      `${certificateUrl}?x`,
      `${server.origin}/CERT-0`,
      certificateUrl.replace('127.0.0.1', 'localhost'),
    ])
      expect(await check({ certificateUrl: url })).toBe(refused)
    expect(server.asked.length).toBe(before)
  })
})

describe('an event of PayPal', () => {
  const uuid = '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47'

  test('names its payment, in captures, refunds, orders and reversed approvals', () => {
    expect(paymentNamedIn({ id: 'C', status: 'COMPLETED', custom_id: uuid })).toBe(uuid)
    expect(paymentNamedIn({ custom_id: uuid.toUpperCase() })).toBe(uuid)
    expect(paymentNamedIn({ id: 'O', purchase_units: [{ reference_id: 'default', custom_id: uuid }] })).toBe(uuid)
    expect(paymentNamedIn({ order_id: 'O', purchase_units: [{ custom_id: uuid, invoice_id: '1' }] })).toBe(uuid)
    expect(paymentNamedIn({ custom_id: 'a shop’s own', purchase_units: [{ custom_id: uuid }] })).toBe(uuid)
  })

  test.each([
    null,
    undefined,
    'x',
    7,
    [],
    {},
    { custom_id: 7 },
    { custom_id: `${uuid}#` },
    { custom_id: { uuid } },
    { purchase_units: [] },
    { purchase_units: [null] },
    { purchase_units: { custom_id: uuid } },
    { purchase_units: [{}, { custom_id: uuid }] },
    { payment: uuid },
  ])('with the resource %j names none', resource => {
    expect(paymentNamedIn(resource)).toBe(null)
  })

  test('is used or ignored by its type', () => {
    for (const type of ['APPROVED', 'COMPLETED']) {
      expect(isWatched(`CHECKOUT.ORDER.${type}`)).toBe(type === 'APPROVED')
      expect(isWatched(`PAYMENT.CAPTURE.${type}`)).toBe(type === 'COMPLETED')
    }
    for (const end of ['PENDING', 'DENIED', 'DECLINED', 'REFUNDED', 'REVERSED'])
      expect(isWatched(`PAYMENT.CAPTURE.${end}`)).toBe(true)
    expect(isWatched('CHECKOUT.PAYMENT-APPROVAL.REVERSED')).toBe(true)
    for (const type of ['BILLING.SUBSCRIPTION.CREATED', 'payment.capture.completed', '__proto__', ''])
      expect(isWatched(type)).toBe(false)
  })
})

test('no event is accepted for an account without a webhook', async () => {
  const delivery = { headers: signedHeaders(body, usual), body: Buffer.from(body) }
  await expect(verifySignature(delivery, null)).rejects.toMatchObject({ word: refused })
})
