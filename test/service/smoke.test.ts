import { askLeadingKeys, realTable, type Table } from '../../lib/smoke/leading-keys.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import type { Key } from '../../shared/platform/table/keys.ts'
import { getItems } from '../../shared/platform/table/table.ts'
import { newShop, twin } from '../support/harness.ts'
import { clean, leftIn, smoke } from '../support/smoke-walk.ts'
import { patience } from '../support/tool.ts'

test(
  'every route of a stage conforms to the contract, and only the cancelled orders of the walk remain',
  async () => {
    const shop = await newShop('Kellerei Rauch', ['invoice', 'paypal'])
    const { code, out, errors, lines } = await smoke(twin.url, shop, '--show')
    if (code !== 0) throw new Error(`the smoke test ended with ${code}: ${errors}\n${out}`)
    expect([errors, lines.at(-1)]).toEqual(['', expect.stringMatching(`^${routes.length} routes, \\d+ calls, 0 diff`)])
    const reported = new Set(lines.map(line => line.split(' ')[0]))
    expect(routes.map(({ path }) => path).filter(path => !reported.has(path))).toEqual([])
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}\{"query":"pauillac",.*"pageSize":1\}$/))
    expect(lines.filter(line => line.startsWith('left behind: order '))).toHaveLength(2)
    expect(out).not.toContain(shop.apiToken)
    expect(await leftIn(shop)).toEqual(clean(2))
    // As each release does: the goods of the first walk exist now.
    const later = await smoke(twin.url, shop)
    expect([later.code, later.lines.at(-1)]).toEqual([0, expect.stringMatching(/ 0 differences$/)])
  },
  patience,
)

test('the check of leading keys sends requests that the table accepts, and stores nothing', async () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' })
  const own: Record<string, string> = { put: 'smoke#allowed', check: 'smoke#other' }
  const only = async (isAllowed: boolean, act: () => Promise<void>) => {
    if (!isAllowed) throw denied
    await act()
  }
  const put: Table['put'] = key => only(key.pk === own.put, () => realTable.put(key))
  const transact: Table['transact'] = actions =>
    only(
      actions.every(({ name, key }) => own[name] === key.pk),
      () => realTable.transact(actions),
    )
  expect(await askLeadingKeys({ ...realTable, put })).toBe('not evaluated')
  expect(await askLeadingKeys({ ...realTable, put, transact })).toBe('per action')
  const keys = Object.values(own).map((pk): Key => ({ pk, sk: 'smoke' }))
  expect(await getItems(keys)).toEqual([undefined, undefined])
})
