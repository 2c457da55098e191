import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { publicScope } from '../../shared/catalogue/search/scopes.ts'
import { keyOf } from '../../shared/catalogue/search/snapshot-store.ts'
import { readWine } from '../../shared/catalogue/wines/store.ts'
import { supplyExpertise } from '../../shared/media/wine-pdf.ts'
import { call, twin } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { bucket, download, type File, fetchRaw, pdfOf } from '../support/pdf-files.ts'
import { newWineShop, refusal } from '../support/wine-shop.ts'

const shop = await newWineShop()
const name = 'Prüf Bericht (1) & 100%.pdf'
const own = pdfOf(5000, 'own')
const large = 4 * 1024 * 1024
const supplied = async (file: string, bytes: Buffer, data: object = { public: 1 }): Promise<number> => {
  const { id } = await shop.added(data)
  await supplyExpertise(shop.id, id, file, bytes)
  return id
}
const id = await supplied(name, own)
const otherId = await supplied('other.pdf', pdfOf(100, 'other'))
const hiddenId = await supplied('hidden.pdf', pdfOf(100, 'hidden'), { public: 0 })
const inactiveId = await supplied('inactive.pdf', pdfOf(100, 'inactive'), { public: 1, active: 0 })
const bare = await shop.added({ public: 1 })
const path: string = (await shop.get(id)).expertisePdf
const same = { 'x-request-id': 'same' }

describe('the path of a PDF', () => {
  test('has every special character of the name encoded', () => {
    expect(path).toBe(`/PDF/${id}/Pr%C3%BCf%20Bericht%20(1)%20%26%20100%25.pdf`)
  })

  test('leads to its bytes, without a sign-in', async () => {
    const { status, headers, bytes } = await fetchRaw(path)
    expect([status, bytes.equals(own)]).toEqual([200, true])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '5000',
      'content-disposition': "inline; filename*=UTF-8''Pr%C3%BCf%20Bericht%20%281%29%20%26%20100%25.pdf",
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    })
    expect(headers.get('etag')).toMatch(/^"\w+"$/)
    expect(Date.parse(headers.get('last-modified') ?? '')).toBeGreaterThan(0)
  })

  test('answers a HEAD with the same headers and no bytes', async () => {
    const [whole, head] = [await fetchRaw(path, same), await fetchRaw(path, same, 'HEAD')]
    const statusAndHeaders = ({ status, headers }: File) => [status, [...headers].filter(([one]) => one !== 'date')]
    expect(statusAndHeaders(head)).toEqual(statusAndHeaders(whole))
    expect(head.bytes).toHaveLength(0)
  })

  test('answers no other method', async () => {
    const { status, json, headers } = await call(path)
    expect([status, json.error, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET'])
  })

  test('returns 304 to a matching ETag', async () => {
    const etag = (await fetchRaw(path)).headers.get('etag') ?? ''
    for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, headers, bytes } = await fetchRaw(path, { 'if-none-match': tag })
      expect([tag, status, headers.get('etag'), bytes.length]).toEqual([tag, 304, etag, 0])
      expect(headers.get('cache-control')).toBe('public, max-age=60')
    }
    expect((await fetchRaw(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test.each<[string, number, string, [number, number]]>([
    ['bytes=0-99', 206, 'bytes 0-99/5000', [0, 100]],
    ['bytes=4990-', 206, 'bytes 4990-4999/5000', [4990, 5000]],
    ['bytes=-10', 206, 'bytes 4990-4999/5000', [4990, 5000]],
    ['bytes=10-99999', 206, 'bytes 10-4999/5000', [10, 5000]],
  ])('returns the range %s', async (range, expected, contentRange, [start, end]) => {
    const { status, headers, bytes } = await fetchRaw(path, { range })
    expect([status, headers.get('content-range')]).toEqual([expected, contentRange])
    expect(bytes.equals(own.subarray(start, end))).toBe(true)
  })

  test('refuses a range behind the end with the contract’s error, and with the length of the file', async () => {
    const options = { method: 'GET', headers: { range: 'bytes=5000-', 'x-request-id': 'r416' } }
    const { status, headers, json } = await call(path, {}, options)
    expect([status, headers.get('content-range'), headers.get('accept-ranges')]).toEqual([416, 'bytes */5000', 'bytes'])
    expect([json.error, json.request_id, headers.get('cache-control')]).toEqual([
      'range_not_satisfiable',
      'r416',
      'no-store',
    ])
    expect((await fetchRaw(path, { range: 'bytes=5000-' }, 'HEAD')).status).toBe(416)
  })

  test('returns the whole file for an invalid range', async () => {
    for (const range of ['lines=1-2', 'bytes=x-y'])
      expect((await fetchRaw(path, { range })).bytes.equals(own)).toBe(true)
  })

  test('above 4 MB redirects to a presigned link', async () => {
    const [just, above] = [pdfOf(large, 'just'), pdfOf(5 * 1024 * 1024, 'above')]
    const whole = await fetchRaw(`/PDF/${await supplied('just.pdf', just)}/just.pdf`)
    expect([whole.status, whole.bytes.equals(just)]).toEqual([200, true])
    const { status, headers, bytes } = await fetchRaw(`/PDF/${await supplied('above.pdf', above)}/above.pdf`)
    expect([status, bytes.length, headers.get('cache-control')]).toEqual([302, 0, 'no-store'])
    const file = await download(headers.get('location') ?? '')
    expect([file.status, file.bytes.equals(above)]).toEqual([200, true])
    expect(file.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''above.pdf")
    expect(file.headers.get('content-type')).toBe('application/pdf')
  })
})

test.each([
  '"; filename="b.exe',
  "it's 100%25 * (best); a=b, c:d [e]{f}\\g.pdf",
  'a\r\nset-cookie: x.pdf',
  'Größe ẞ 酒 🍷.pdf',
])('the name %j is sent unchanged, and nothing in it ends the header', async hostile => {
  const { headers } = await fetchRaw(`/PDF/${await supplied(hostile, own)}/${encodeURIComponent(hostile)}`)
  const [, encoded = ''] =
    /^inline; filename\*=UTF-8''([\w%.~!&-]+)$/.exec(headers.get('content-disposition') ?? '') ?? []
  expect(decodeURIComponent(encoded)).toBe(hostile)
})

test('a PDF that is replaced is returned under each of its former names', async () => {
  const wine = await shop.added({ name: 'Viele Namen', public: 1 })
  await shop.call('wines/getExpertise', { id: wine.id })
  await supplyExpertise(shop.id, wine.id, 'Erster.pdf', pdfOf(100, 'first'))
  const last = pdfOf(100, 'second')
  await supplyExpertise(shop.id, wine.id, 'Zweiter.pdf', last)
  await supplyExpertise(shop.id, wine.id, 'Zweiter.pdf', last)
  expect(await shop.get(wine.id)).toMatchObject({ pdf: 'Zweiter.pdf', version: 4 })
  for (const file of ['viele-namen.pdf', 'Erster.pdf', 'Zweiter.pdf']) {
    expect((await fetchRaw(`/PDF/${wine.id}/${file}`)).bytes.equals(last)).toBe(true)
    const { status } = await call('/wines/downloadExpertise', { wineId: wine.id, expertiseFileName: file })
    expect(status).toBe(302)
  }
})

test('a PDF keeps its last 50 names, the newest last: their number must not make a wine too large to be written', async () => {
  const wine = await shop.added({ name: 'Sehr viele Namen', public: 1 })
  const nameOf = (n: number) => `${n}.pdf`
  for (const n of [...counted(60), 15]) await supplyExpertise(shop.id, wine.id, nameOf(n), own)
  const { expertise } = await readWine(shop.id, wine.id)
  const kept = counted(60)
    .slice(10)
    .filter(n => n !== 15)
  expect(expertise?.names).toEqual([...kept, 15].map(nameOf))
  const statuses = await Promise.all(
    [10, 11, 15, 60].map(async n => (await fetchRaw(`/PDF/${wine.id}/${nameOf(n)}`)).status),
  )
  expect(statuses).toEqual([404, 200, 200, 200])
})

test('one file supplied to two wines is stored once', async () => {
  const [one, two] = [await supplied('A.pdf', own), await supplied('B.pdf', own)]
  const keys = await Promise.all([id, one, two].map(async wine => (await readWine(shop.id, wine)).expertise?.key))
  expect(new Set(keys).size).toBe(1)
})

describe('a path that is not the name of a wine’s PDF', () => {
  const encoded = encodeURIComponent(name)
  const names = [
    ...[
      'other.pdf',
      'hidden.pdf',
      name.toUpperCase(),
      name.normalize('NFD'),
      `${name} `,
      ` ${name}`,
      name.slice(0, -4),
    ],
    ...[
      `../${otherId}/other.pdf`,
      `..\\${name}`,
      `./${name}`,
      `/${name}`,
      `${name}/`,
      `${name}\u0000`,
      `\u0000${name}`,
    ],
    ...['..', '.', '*', '%2e%2e', `..%2f${name}`, encoded, `${name}\u0000.png`, `${name}?x=1`, `${name}#`],
    ...[keyOf(publicScope), 'x'.repeat(3000), '\u202efdp', '__proto__', 'constructor', '["a"]', '{}'],
  ]
  const wineIds = [otherId, hiddenId, inactiveId, bare.id, 2 ** 52]

  test('is not found, in one and the same answer', async () => {
    const unknown = await call(
      '/wines/downloadExpertise',
      { wineId: 2 ** 52, expertiseFileName: 'x' },
      { headers: same },
    )
    expect(refusal(unknown)).toEqual([404, 'expertise_not_found', undefined])
    const asked: (readonly [number, string])[] = [
      ...names.map(one => [id, one] as const),
      ...wineIds.map(one => [one, name] as const),
      ...([
        [hiddenId, 'hidden.pdf'],
        [inactiveId, 'inactive.pdf'],
      ] as const),
    ]
    for (const [wineId, expertiseFileName] of asked) {
      const { text } = await call('/wines/downloadExpertise', { wineId, expertiseFileName }, { headers: same })
      expect([expertiseFileName, text]).toEqual([expertiseFileName, unknown.text])
      // Gateways cut a path there, which leaves another name.
      if (/[?#]/.test(expertiseFileName)) continue
      const link = `/PDF/${wineId}/${encodeURIComponent(expertiseFileName)}`
      const file = await fetchRaw(link, same)
      expect([link, file.status]).toEqual([link, 404])
      // Gateways decode a path before they look for its route.
      const expected = expertiseFileName.includes('/') ? 'route_not_found' : 'expertise_not_found'
      expect([link, JSON.parse(file.bytes.toString()).error]).toEqual([link, expected])
    }
  })

  test.each([
    `/PDF/${'0'.repeat(3)}/${encoded}`,
    `/PDF/0${id}/${encoded}`,
    `/PDF/${id}.0/${encoded}`,
    `/PDF/-${id}/${encoded}`,
    `/PDF/${id}%20/${encoded}`,
    `/PDF/${id}e0/${encoded}`,
    `/PDF/x/${encoded}`,
    `/PDF/${'9'.repeat(17)}/${encoded}`,
    `/PDF/${otherId}/%2e%2e%2f${id}%2f${encoded}`,
    `/PDF/${otherId}/..%5c${id}%5c${encoded}`,
    `/PDF/${id}/%00`,
    `/PDF/${id}/%c0%ae%c0%ae`,
    `/PDF/${id}/%`,
    `/PDF/${otherId}/../${id}/${encoded}`,
    `/PDF/${id}/./${encoded}`,
    `/PDF/${id}//${encoded}`,
    `/PDF/%2e%2e/${encoded}`,
    `/pdf/${id}/${encoded}`,
    `/PDF/${id}/${encoded}/`,
    `/PDF/${id}/`,
    `/PDF/${id}`,
  ])('%s is not found', async link => {
    const { status, bytes } = await fetchRaw(link)
    expect([status, bytes.includes('%PDF')]).toEqual([404, false])
  })

  test.each<[object, string]>([
    [{}, 'wineId'],
    [{ wineId: id }, 'expertiseFileName'],
    [{ wineId: 'x', expertiseFileName: name }, 'wineId'],
    [{ wineId: id, expertiseFileName: 7 }, 'expertiseFileName'],
    [{ wineId: id, expertiseFileName: [name] }, 'expertiseFileName'],
  ])('with %j is refused by its path', async (parameters, field) => {
    expect(refusal(await call('/wines/downloadExpertise', parameters))).toEqual([400, 'validation_failed', field])
  })
})

describe('a presigned link', () => {
  const location = async () => {
    const { headers } = await call('/wines/downloadExpertise', { wineId: id, expertiseFileName: name })
    return new URL(headers.get('location') ?? '')
  }

  test('is refused if any part of it is changed', async () => {
    const other = (await readWine(shop.id, otherId)).expertise?.key ?? ''
    const changes: ((link: URL) => unknown)[] = [
      link => {
        link.pathname = link.pathname.replace(/expertise\/.*/, other)
      },
      link => {
        link.pathname = link.pathname.replace(/expertise\/.*/, keyOf(publicScope))
      },
      link => link.searchParams.set('X-Amz-Expires', '604800'),
      link => link.searchParams.set('response-content-type', 'text/html'),
      link => link.searchParams.set('response-content-disposition', 'inline'),
      link => link.searchParams.delete('response-content-disposition'),
      link => link.searchParams.set('X-Amz-Signature', '0'.repeat(64)),
      link =>
        link.searchParams.set('X-Amz-Date', (link.searchParams.get('X-Amz-Date') ?? '').replace(/T\d+/, 'T000000')),
    ]
    for (const change of changes) {
      const link = await location()
      change(link)
      const { status, bytes } = await download(link.href)
      expect([change.toString(), status, bytes.includes('%PDF')]).toEqual([change.toString(), 403, false])
    }
    const unsigned = await location()
    unsigned.searchParams.delete('X-Amz-Signature')
    expect((await download(unsigned.href)).status).toBe(400)
    expect((await fetch(await location(), { method: 'DELETE' })).status).toBe(403)
    expect((await fetch(await location(), { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await download((await location()).href)).status).toBe(200)
  })

  test('is refused after its expiry', async () => {
    const Key = (await readWine(shop.id, id)).expertise?.key
    const command = new GetObjectCommand({ Bucket: twin.bucket, Key })
    const signed = (secondsAgo: number) =>
      getSignedUrl(bucket, command, { expiresIn: 300, signingDate: new Date(Date.now() - secondsAgo * 1000) })
    expect((await download(await signed(290))).status).toBe(200)
    const { status, bytes } = await download(await signed(301))
    expect([status, bytes.includes('%PDF')]).toEqual([403, false])
  })
})
