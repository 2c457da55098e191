import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../support/child-environment.ts'
import { call, newShop, type Shop } from '../support/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Run, tool, toolProcess } from '../support/tool.ts'

const folder = temporaryFolder('tool')

const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
const checked = async (token: string) => (await call('/service/check/login', {}, { token })).status
const loggedIn = async (authid: string, token: string): Promise<string> =>
  (await call('/service/login', { authid, token })).json.token
const tokenIn = ({ out }: Run) => /wka_\w+/.exec(out)?.[0] ?? ''
const winesOf = async (shop: Shop) => (await shop.call('wines/getAll', { orderBy: 'articlenumber' })).text

describe('merchants', () => {
  test('a new merchant can sign in immediately and is in the list', async () => {
    const created = await toolProcess(['create', 'Weingut Ahorn', '--payment-types', 'invoice,cash'])
    expect(created).toMatchObject({ code: 0, errors: '' })
    const [, id] = /id +(\d+)/.exec(created.out) ?? []
    const [, authid = ''] = /authid +(\S+)/.exec(created.out) ?? []
    const token = tokenIn(created)
    expect(await checked(await loggedIn(authid, token))).toBe(200)
    const { code, out } = await tool('list')
    expect(code).toBe(0)
    expect(out).toContain(`${id}  Weingut Ahorn  authid ${authid}  invoice, cash`)
    expect(out).toContain(token.split('_')[1] as string)
    expect(out).not.toContain(token)
  })

  test('a second merchant of a name is created with --again only', async () => {
    const { id } = await newShop('Weingut Zwilling')
    const { code, out, errors } = await tool('create', 'Weingut Zwilling')
    expect([code, out]).toEqual([1, ''])
    expect(errors).toMatch(new RegExp(`^a merchant Weingut Zwilling already exists, with the id ${id}; --again`))
    expect((await tool('create', 'Weingut Zwilling', '--again')).code).toBe(0)
  })

  test('are listed without an error if the reader closes the pipe', async () => {
    const child = spawn(process.execPath, ['bin/merchant.ts', 'list', '--data-dir', process.env.TEST_TWIN ?? ''], {
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    expect([await text(child.stderr), child.exitCode ?? (await once(child, 'exit'))[0]]).toEqual(['', 0])
  })

  test('a merchant is created with a known payment provider only', async () => {
    const paypal = ['--payment-types', 'paypal', '--payment-provider', 'paypal']
    expect(await tool('create', 'Weingut Erle', ...paypal)).toMatchObject({ code: 0, errors: '' })
    expect((await tool('set', 'Weingut Erle', '--phone', 'none')).out).toMatch(/payment provider +paypal/)
    const refused = await tool('create', 'Weingut Esche', '--payment-provider', 'barter')
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('`payment_provider`')])
    expect((await tool('list')).out).not.toContain('Esche')
  })

  test('a merchant with an unknown payment type is not created', async () => {
    const { code, out, errors } = await tool('create', 'Weingut Buche', '--payment-types', 'invoice,barter')
    expect([code, out]).toEqual([1, ''])
    expect(errors).toMatch(/^`payment_types.1` must be one of .*paypal/)
    expect((await tool('list')).out).not.toContain('Weingut Buche')
  })
})

describe('API tokens and sessions', () => {
  test('two tokens of a role may be issued, by id or by name, a third may not', async () => {
    const name = `Weingut Eiche ${Date.now()}`
    const shop = await newShop(name)
    const issued = await tool('token', 'issue', name, '--name', 'till', '--role', 'desk')
    expect(issued.code).toBe(0)
    expect(await checked(await loggedIn(shop.authid, tokenIn(issued)))).toBe(200)
    const { code, out, errors } = await tool('token', 'issue', String(shop.id), '--role', 'desk')
    expect([code, out]).toEqual([1, ''])
    expect(errors).toContain('has 2 live tokens of the role desk already; revoke one first')
    expect(errors).toContain(shop.tokenId)
  })

  test('a revoked token ends its sessions and allows another', async () => {
    const shop = await newShop()
    const session = await loggedIn(shop.authid, shop.apiToken)
    expect(await tool('token', 'revoke', shop.tokenId)).toMatchObject({ code: 0, errors: '' })
    expect(await checked(session)).toBe(401)
    const again = await tool('token', 'revoke', shop.tokenId)
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('is revoked since')])
    const issued = await tool('token', 'issue', String(shop.id))
    expect(await checked(await loggedIn(shop.authid, tokenIn(issued)))).toBe(200)
  })

  test('a revoked session ends', async () => {
    const shop = await newShop()
    const session = await loggedIn(shop.authid, shop.apiToken)
    expect((await tool('session', 'revoke', session)).code).toBe(0)
    expect(await checked(session)).toBe(401)
    expect(await checked(shop.token)).toBe(200)
  })

  test('unknown merchants, tokens and sessions are refused', async () => {
    const runs = await Promise.all([
      tool('token', 'issue', 'Weingut Nirgendwo'),
      tool('token', 'revoke', '000000000000'),
      tool('session', 'revoke', 'wks_unknown'),
    ])
    const missing = ['merchant Weingut Nirgendwo', 'token 000000000000', 'such session']
    expect(runs).toEqual(missing.map(what => ({ code: 1, out: '', errors: `there is no ${what}\n` })))
  })
})

describe('importing wines', () => {
  const header = 'articlenumber,name,type,countrycode,region,vintage,gross,taxrate,winery,categories,stock'
  const lines = [
    'T-1,Riesling,white,de,1003,2023,8.90,19,Weingut Esche,Weißwein|Bio,12',
    'T-2,"Spätburgunder, trocken",red,de,1003,2021,14.50,19,Weingut Esche,Rotwein,',
  ]
  const csv = (...rows: string[]) => `\ufeff${[header, ...rows].join('\r\n')}\r\n`

  test('an import adds the wines; a repeat changes nothing; a changed file imports its changes only', async () => {
    const shop = await newShop()
    const to = ['--merchant', String(shop.id)]
    const wines = await file('wines.csv', csv(...lines))
    const first = await toolProcess(['import', 'wines', wines, ...to])
    expect([first.code, first.errors]).toEqual([0, ''])
    expect(first.out).toContain('2 wines added, 0 changed, 0 unchanged')
    const imported = await winesOf(shop)
    expect(JSON.parse(imported).data).toMatchObject([
      { articlenumber: 'T-1', gross: '8.90', net: '7.48', tax: '1.42', winery: { name: 'Weingut Esche' } },
      { articlenumber: 'T-2', name: 'Spätburgunder, trocken', path_segment: 'spaetburgunder-trocken', vintage: 2021 },
    ])
    const second = await tool('import', 'wines', wines, ...to)
    expect(second.out).toContain('0 wines added, 0 changed, 2 unchanged')
    expect(await winesOf(shop)).toBe(imported)

    const dearer = await file('dearer.csv', csv(lines[0] as string, lines[1]?.replace('14.50', '15.50') as string))
    const plan = await tool('import', 'wines', dearer, ...to, '--plan')
    expect(plan.out).toMatch(/1 to change\n {2}~ T-2 Spätburgunder, trocken\n {4}gross: 14\.50 → 15\.50\n/)
    expect((await tool('import', 'wines', dearer, ...to)).out).toContain('0 wines added, 1 changed, 1 unchanged')
    expect(JSON.parse(await winesOf(shop)).data).toMatchObject([{ gross: '8.90' }, { gross: '15.50' }])
  })

  test('bad cells are refused with row and column, and then no row is imported', async () => {
    const shop = await newShop()
    const bad = [
      'T-3,,white,de,1003,2023,8.90,19,,,',
      'T-4,Wein,purple,de,1003,next year,8.9,19,,,',
      lines[0] as string,
    ]
    const wines = await file('bad.csv', csv(...bad))
    const { code, errors } = await tool('import', 'wines', wines, '--merchant', String(shop.id))
    expect(code).toBe(1)
    for (const place of [
      'line 2, name: must be',
      'line 3, type: must be',
      'line 3, vintage: must be',
      'line 3, gross',
    ]) {
      expect(errors).toContain(place)
    }
    expect(errors).not.toContain('line 4')
    expect(errors).not.toContain('purple')
    expect((await shop.call('wines/getAll')).json.totalCount).toBe(0)
    const plan = await tool('import', 'wines', wines, '--merchant', String(shop.id), '--plan')
    expect([plan.code, plan.errors]).toEqual([1, 'the file would not be imported\n'])
    expect(plan.out).toMatch(/^1 to add$/m)
    expect(plan.out).toMatch(/^4 refused\n {2}line 2, name/m)
  })

  test('files that cannot be read as wines are refused in a line', async () => {
    const shop = await newShop()
    const files = [
      ['broken.csv', `${header}\n"T-1,Riesling`],
      ['ragged.csv', `${header}\nT-1,Riesling\n`],
      ['broken.json', '[{'],
      ['object.json', '{"name":"Riesling"}'],
    ] as const
    const importing = files.map(async ([name, text]) =>
      tool('import', 'wines', await file(name, text), '--merchant', String(shop.id)),
    )
    for (const { code, out, errors } of await Promise.all(importing)) {
      expect([code, out, errors.trim().split('\n').length]).toEqual([1, '', 1])
    }
  })
})

describe('the tool', () => {
  test('reports how to start the service if none runs', async () => {
    expect(await toolProcess(['list'], join(folder, 'nowhere'))).toEqual({
      code: 1,
      out: '',
      errors: 'no service runs on this machine; start it with npm start, or name a table on AWS with --table\n',
    })
  })

  test('refers to --help after a wrong command line', async () => {
    const commands = [['frobnicate'], ['create'], ['import', 'wines', 'x.csv']]
    for (const { code, errors } of await Promise.all(commands.map(args => tool(...args)))) {
      expect([code, errors]).toEqual([1, expect.stringContaining('--help')])
    }
  })
})
