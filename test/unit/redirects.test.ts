import type { NewOrder } from '../../shared/contract/routes/orders.ts'
import { readRedirects } from '../../shared/orders/placing/redirects.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'

const good = 'https://shop.example/done?x=1'
const read = (data: object, redirect_hosts: string[] = []) =>
  readRedirects(data as NewOrder, { redirect_hosts } as Merchant, ['return_url', 'cancel_url'])
const expected = 'an absolute https URL of the shop, without user name and fragment'
const bad = (name: string) => ({ path: `data.${name}`, rule: 'redirect_url', expected })

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test.each([
  [good, good],
  ['HTTPS://Shop.Example', 'https://shop.example/'],
  ['http://localhost:8080/a', 'http://localhost:8080/a'],
  ['http://127.0.0.1/', 'http://127.0.0.1/'],
  ['http://[::1]/b', 'http://[::1]/b'],
  ['https://shop.example:8443/a%20b', 'https://shop.example:8443/a%20b'],
])('%s is used as %s', (url, href) => {
  expect(read({ return_url: url, cancel_url: good })).toEqual({ return_url: href, cancel_url: good })
  expect(read({ return_url: good, cancel_url: url })).toEqual({ return_url: good, cancel_url: href })
})

test.each([
  undefined,
  null,
  '',
  '/done',
  'ftp://localhost/',
  'ws://shop.example/',
  'http://shop.example/',
  'http://localhost.shop.example/',
  'xhttps://shop.example/',
  'ws://localhost/https://shop.example/',
  'https:shop.example',
  'https:/shop.example',
  'https:///shop.example',
  'https://shop.example\\a',
  'https://shop.example/a b',
  ' https://shop.example/',
  'https://shop.example/ ',
  'https://shop.example/\ta',
  'https://bücher.example/',
  'https://shop.example/ü',
  'https://me@shop.example/',
  'https://:secret@shop.example/',
  'https://shop.example/#a',
  'https://shop.example:99999/',
  'https://[/',
])('%j is none', url => {
  expect(thrownBy(() => read({ return_url: good, cancel_url: url }))).toMatchObject({
    word: 'redirect_url_invalid',
    message: `\`data.cancel_url\` must be ${expected}.`,
    fields: [bad('cancel_url')],
  })
  expect(thrownBy(() => read({ return_url: url, cancel_url: url }))).toMatchObject({
    message: `\`data.return_url\` must be ${expected}. \`fields\` lists 1 more.`,
    fields: [bad('return_url'), bad('cancel_url')],
  })
})

test('only a merchant’s own hosts are allowed, if there are any', () => {
  const urls = { return_url: good, cancel_url: 'https://www.shop.example/no' }
  expect(read(urls, ['shop.example', 'www.shop.example'])).toEqual(urls)
  expect(thrownBy(() => read(urls, ['shop.example']))).toMatchObject({ fields: [bad('cancel_url')] })
  expect(thrownBy(() => read(urls, ['example']))).toMatchObject({ fields: [bad('return_url'), bad('cancel_url')] })
})
