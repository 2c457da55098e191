import { changeLimits } from '../../lib/tool/quotas.ts'
import { type Answer, call, newShop, type Shop } from '../support/harness.ts'
import { patience, tool } from '../support/tool.ts'

const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }
const wine = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1003 }

const many = async (send: () => Promise<Answer>, count: number): Promise<Answer[]> => {
  const answers: Answer[] = []
  while (answers.length < count) answers.push(...(await Promise.all(Array.from({ length: 20 }, send))))
  return answers
}

const words = ({ status, json }: Answer) => `${status} ${json.error ?? json.info}`
const login = ({ authid, apiToken: token }: Shop) => call('/service/login', { authid, token })

test(
  'the operator sees the use of a merchant’s quotas, and changes them for all instances',
  async () => {
    const shop = await newShop('Kellerei Kontingent')
    const quota = (...limits: string[]) => tool('quota', shop.authid, ...limits)
    expect((await shop.call('wines/add', { data: wine })).status).toBe(200)
    expect((await shop.call('addresses/add', { data: home })).status).toBe(200)
    const set = await quota('--wines', '1', '--public-bytes', '5000', '--addresses', '1', '--requests', '2')
    expect([set.code, set.errors]).toEqual([0, ''])
    expect(set.out.split('\n')).toEqual([
      `merchant ${shop.authid}`,
      '  wines                 1 of 1  (set by the operator)',
      '  bytes of public wines 0 of 5000  (set by the operator)',
      '  clients               0 of 1000000',
      '  addresses             1 of 1  (set by the operator)',
      '  open baskets          0 of 100000',
      '  products              0 of 5000',
      '  categories            0 of 1000',
      '  price ranges          0 of 200',
      '  live sessions         2000000',
      '  requests a second     2  (set by the operator)',
      '  uploads a day         5000',
      '',
    ])
    expect(words(await shop.call('wines/add', { data: wine }))).toBe('422 quota_exceeded')
    expect(words(await shop.call('addresses/add', { data: home }))).toBe('422 quota_exceeded')
    expect((await quota('--wines', 'default', '--addresses', '2')).out).toContain(
      '  wines                 1 of 50000\n',
    )
    expect(words(await shop.call('wines/add', { data: { ...wine, name: 'Silvaner' } }))).toBe('200 success')
    expect(words(await shop.call('addresses/add', { data: home }))).toBe('200 success')
    expect((await quota('--price-ranges', '7')).out).toContain(
      '  price ranges          0 of 7  (set by the operator)\n',
    )
    const odd = await quota('--wines', '-1')
    expect([odd.code, odd.errors]).toEqual([1, 'a quota must be a whole number of 1 or more, or default\n'])
  },
  patience,
)

test('a merchant over its quota waits, another is served, and each route counts', async () => {
  const [loud, quiet] = [await newShop('Laut'), await newShop('Leise')]
  await changeLimits(loud.id, { requests: 1, sessions: 72 })
  const answers = await many(() => loud.call('check/login'), 120)
  expect(new Set(answers.map(words))).toEqual(new Set(['200 success', '429 quota_exceeded']))
  for (const { status, headers } of answers) {
    const wait = Number(headers.get('retry-after'))
    expect(status === 200 ? wait === 0 : wait >= 1 && wait <= 10).toBe(true)
  }
  const logins = await many(() => login(loud), 60)
  expect(new Set(logins.map(words))).toEqual(new Set(['200 success', '429 quota_exceeded']))
  expect([words(await quiet.call('check/login')), words(await login(quiet))]).toEqual(['200 success', '200 success'])
})

test('of 64 concurrent additions on several instances, ten below a quota, exactly ten are stored', async () => {
  const shop = await newShop()
  await changeLimits(shop.id, { addresses: 10, wines: 10 })
  const stored = async (send: (n: number) => Promise<Answer>) => {
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => send(n)))
    return answers.map(words).sort()
  }
  const expected = [...Array(10).fill('200 success'), ...Array(54).fill('422 quota_exceeded')]
  expect(await stored(() => shop.call('addresses/add', { data: home }))).toEqual(expected)
  expect(await stored(n => shop.call('wines/add', { data: { ...wine, name: `Wein ${n}` } }))).toEqual(expected)
  expect((await shop.call('addresses/getAll')).json.totalCount).toBe(10)
  expect((await shop.call('wines/getAll')).json.totalCount).toBe(10)
})
