import { checkDocument } from '../support/document-check.ts'

const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
const refusal = (code: number, error: string) => ({
  status: code,
  headers,
  json: { info: 'error', code, error, details: 'No.', request_id: 'r-1' },
})
const sent = { method: 'POST', path: '/service/wines/get', body: { id: 1 } }
const missing = refusal(404, 'wine_not_found')
const badly = refusal(400, 'validation_failed')

test('a refusal is checked against the document, where it is shared by name or defined with its route', () => {
  for (const right of [missing, badly]) {
    expect(() => checkDocument(sent, right)).not.toThrow()
    expect(() => checkDocument(sent, { ...right, status: 418 })).toThrow('the document has no 418')
    expect(() => checkDocument(sent, { ...right, headers: new Headers({ 'content-type': 'text/html' }) })).toThrow(
      'the document has no text/html',
    )
    for (const name of Object.keys(right.json)) {
      const { [name as 'error']: _, ...json } = right.json
      expect(() => checkDocument(sent, { ...right, json })).toThrow('is not as the document says')
      const odd = { ...right.json, [name]: ['odd'] }
      expect(() => checkDocument(sent, { ...right, json: odd })).toThrow('is not as the document says')
    }
    expect(() => checkDocument(sent, { ...right, json: { ...right.json, error: 'order_paid' } })).toThrow()
    expect(() => checkDocument(sent, { ...right, json: { ...right.json, code: 500 } })).toThrow()
  }
})

test('a success is checked against the document down to the fields of its records', () => {
  const path = '/service/packaging/find'
  const data = { id: 1, name: 'Karton', net: '4.96', tax: '0.94', gross: '5.90', taxrate: 19 }
  const answer = (json: object) => () =>
    checkDocument({ method: 'POST', path, body: {} }, { status: 200, headers, json })
  expect(answer({ info: 'success' })).toThrow('is not as the document says')
  expect(answer({ info: 'success', data: { ...data, gross: 5.9 } })).toThrow('is not as the document says')
})

test('an accepted request is checked against the document, in its body and in its query string', () => {
  const pages = { current: 1, total: 1, size: 0 }
  const json = { info: 'success', data: [], wines: [], totalCount: 0, pages, pagination: pages }
  const accepted = (method: string, path: string, body?: object) => () =>
    checkDocument({ method, path, body }, { status: 200, headers, json })
  expect(accepted('POST', '/service/wines/search', { page: 'none' })).toThrow('was accepted')
  expect(accepted('POST', '/service/wines/search', { page: 2, filter: { type: 'red' } })).not.toThrow()
  for (const query of ['page=none', 'short=true', 'filter=%7B%22odd%22%3A1%7D'])
    expect(accepted('GET', `/wines/search?${query}`)).toThrow('was accepted')
})

describe('of a request that was accepted', () => {
  const accepted = (path: string, body: object, answer: object) => () =>
    checkDocument({ method: 'POST', path, body }, { status: 200, headers, json: { info: 'success', ...answer } })

  test('a text is checked against the document as the service reads it', () => {
    const event = (event_type: string) =>
      accepted('/payments/paypal/webhook', { id: 'WH-1', event_type, resource: {} }, { handled: false })
    for (const most of [` ${'x'.repeat(255)}\n`, 'e\u0301'.repeat(255), '🍷'.repeat(255), 'x\r\n'.repeat(128)])
      expect(event(most)).not.toThrow()
    for (const more of ['x'.repeat(256), 'é'.repeat(256)]) expect(event(more)).toThrow('was accepted')
  })

  test('a password is checked against the document unchanged', () => {
    const reset = (password: string) =>
      accepted('/service/clients/resetPassword', { hash: 'x', password }, { data: { id: 1, mail: 'ada@example.org' } })
    for (const right of ['\n', ` ${'x'.repeat(253)} `]) expect(reset(right)).not.toThrow()
    for (const wrong of ['', ` ${'x'.repeat(254)} `]) expect(reset(wrong)).toThrow('was accepted')
  })
})
