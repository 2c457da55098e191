import { spyOn } from 'jest-mock'
import { runSmokeTool } from '../../lib/smoke/command.ts'
import { Difference, differences } from '../../lib/smoke/compare.ts'
import {
  askLeadingKeys,
  CannotTell,
  localEndpoint,
  policyFor,
  sentenceOf,
  type Table,
  type Verdict,
} from '../../lib/smoke/leading-keys.ts'
import { lastSteps, steps } from '../../lib/smoke/steps/index.ts'
import type { Walk } from '../../lib/smoke/walk.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import type { Key } from '../../shared/platform/table/keys.ts'

describe('the steps', () => {
  test('name no missing route', () => {
    const known = new Set<string>([...routes, fallback].map(({ path }) => path))
    expect([...steps, ...lastSteps].map(({ route }) => route).filter(route => !known.has(route))).toEqual([])
  })

  test('end with the end of the session', () => {
    expect(lastSteps.at(-1)?.route).toBe('/service/logout')
  })
})

describe('the cleanup', () => {
  /** A walk that left three of each; of those on the list nothing can be changed. */
  const leftover = (...stuck: number[]) => {
    const changed: unknown[] = []
    const all = [1, 2, 3].map(id => ({ id, uuid: `${id}`, number: `${id}`, status: 'new', note: 'mark', active: 1 }))
    const ask = async (_: string, body: { id?: number; uuid?: string }) => {
      const id = Number(body.id ?? body.uuid)
      if (!id) return { data: all }
      if (stuck.includes(id)) throw new Difference(`${id} is stuck`)
      changed.push(id)
    }
    const written = new Set(['order', 'address', 'wine'])
    const walk = { written, left: [] as string[], mark: 'mark', need: () => ({ id: 9, mail: '' }), ask }
    return { walk: walk as unknown as Walk, changed, left: walk.left }
  }
  const stepAt = (path: string) => lastSteps.find(({ route }) => route === `/service/${path}`)

  test.each([
    'orders/getAll',
    'addresses/getByClient',
    'wines/getAll',
  ])('continues after a failed step, and reports it: %s', async path => {
    const { walk, changed, left } = leftover(1)
    await expect(stepAt(path)?.walk(walk)).rejects.toThrow('1 is stuck')
    expect(changed).toEqual([2, 3])
    expect(left.filter(text => /^(order|wine) 1,.*(cancelled|off)/.test(text))).toEqual([])
    expect(left.filter(text => /^(order|wine|address) 1\b/.test(text))).toHaveLength(1)
  })
})

describe('a public answer', () => {
  const good = { etag: 'W/"a"', 'cache-control': 'public, max-age=5' }
  /** Runs the step with answers to GET, its repeat, and POST that have some headers and a status. */
  const walked = async (got: Record<string, string>, again: number, posted: Record<string, string>) => {
    const walk = {
      options: { url: 'https://shop.example' },
      succeed: async (_: string, __: object, how?: object) => ({ headers: new Headers(how ? got : posted) }),
      send: async () => ({ status: again, headers: new Headers(got) }),
    }
    await steps.find(({ does }) => does === 'can be cached with GET, not with POST')?.walk(walk as unknown as Walk)
  }

  test('must have a cache lifetime, and an ETag that prevents sending it again', async () => {
    await walked(good, 304, {})
    await expect(walked({ etag: good.etag }, 304, {})).rejects.toThrow('Cache-Control is null')
    await expect(walked({ ...good, 'cache-control': 'public, max-age=86400' }, 304, {})).rejects.toThrow('86400')
    await expect(walked(good, 200, {})).rejects.toThrow('If-None-Match is 200')
    await expect(walked({ 'cache-control': good['cache-control'] }, 304, {})).rejects.toThrow('If-None-Match')
    await expect(walked(good, 304, good)).rejects.toThrow('of POST')
  })
})

describe('a comparison', () => {
  test('reports differences between an answer and the expected one, and checks nothing else', () => {
    const actual = { id: 1, name: 'Riesling', prices: [{ gross: '9.50' }], more: true }
    expect(differences(actual, { id: 1, prices: [{ gross: '9.50' }] }, 'data')).toEqual([])
    expect(differences(actual, { id: 2, prices: [{ gross: '9.00' }], winery: { id: 1 } }, 'data')).toEqual([
      'data.id is 1 instead of 2',
      'data.prices.0.gross is "9.50" instead of "9.00"',
      'data.winery is nothing instead of an object',
    ])
    expect(differences(actual, { prices: [] }, 'data')).toEqual(['data.prices has 1 elements instead of 0'])
  })
})

describe('a command line', () => {
  const run = async (...words: string[]): Promise<{ code: number; out: string; errors: string }> => {
    const written = { stdout: '', stderr: '' }
    const spies = (['stdout', 'stderr'] as const).map(name =>
      spyOn(process[name], 'write').mockImplementation(text => {
        written[name] += text
        return true
      }),
    )
    const code = await runSmokeTool(words).finally(() => {
      for (const spy of spies) spy.mockRestore()
    })
    return { code, out: written.stdout, errors: written.stderr }
  }

  test.each([
    [[], 'name a stage'],
    [['--url', 'http://wine.example', '--authid', 'a', '--token', 'b'], 'must be an https URL'],
    [['--url', 'https://user@wine.example', '--authid', 'a', '--token', 'b'], 'must be an https URL'],
    [['--url', 'https://wine.example'], 'needs --authid and --token'],
    [['--nonsense'], 'unknown option'],
    [['--url', 'https://wine.example', '--timeout', 'long'], 'must be a number of seconds'],
  ])('that is invalid ends with 2: %j', async (words, says) => {
    const { SMOKE_TOKEN } = process.env
    delete process.env.SMOKE_TOKEN
    const { code, out, errors } = await run(...words)
    expect([code, out, errors]).toEqual([2, '', expect.stringContaining(says)])
    if (SMOKE_TOKEN) process.env.SMOKE_TOKEN = SMOKE_TOKEN
  })

  test('with --help prints help, without the token of the environment', async () => {
    process.env.SMOKE_TOKEN = 'wka_secret'
    const { code, out } = await run('--help')
    expect([code, out]).toEqual([0, expect.stringContaining('SMOKE_TOKEN')])
    expect(out).not.toContain('wka_secret')
    delete process.env.SMOKE_TOKEN
  })

  test('with --policy prints the policy as JSON', async () => {
    const { code, out } = await run('--print-policy', 'Wine')
    expect([code, JSON.parse(out)]).toEqual([0, policyFor('Wine')])
  })

  test('to a substitute of DynamoDB is reported as not determined', async () => {
    process.env.DYNAMODB_ENDPOINT = 'http://localhost:8000'
    const { code, out } = await run('--table', 'Wine')
    expect([code, out]).toEqual([1, expect.stringContaining('the table is at http://localhost:8000')])
    delete process.env.DYNAMODB_ENDPOINT
  })
})

describe('the check of leading keys', () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' })
  type Asked = { verb: 'put' | 'check'; pk: string }

  type Iam = (asked: readonly Asked[], isTransaction: boolean) => boolean

  /** A table whose IAM allows requests by `holds`; it stores items like a table. */
  const tableWith = (holds: Iam, refusal: Error = denied) => {
    const items = new Set<string>()
    const write = async (asked: readonly Asked[], isTransaction: boolean): Promise<void> => {
      if (!holds(asked, isTransaction)) throw isTransaction ? refusal : denied
      if (asked.some(({ verb, pk }) => verb === 'check' && items.has(pk))) throw new Error('an item was left')
      for (const { verb, pk } of asked) if (verb === 'put') items.add(pk)
    }
    const table: Table = {
      put: ({ pk }) => write([{ verb: 'put', pk }], false),
      transact: actions => {
        const asked = actions.map(({ name, key }) => ({ verb: name as Asked['verb'], pk: key.pk }))
        return write(asked, true)
      },
      remove: async ({ pk }: Key) => items.delete(pk),
    }
    return { table, items }
  }

  const own = { put: 'smoke#allowed', check: 'smoke#other' } as const
  const perAction: Iam = asked => asked.every(({ verb, pk }) => own[verb] === pk)

  test.each([
    ['per action', perAction],
    ['over all items together', asked => asked.every(({ verb }) => asked.every(({ pk }) => own[verb] === pk))],
    ['not evaluated', (asked, isTransaction) => isTransaction || perAction(asked, false)],
    ['not evaluated', asked => asked.length > 1 || perAction(asked, false)],
  ] satisfies [Verdict, Iam][])('is answered "%s" by what IAM lets through', async (verdict, holds) => {
    const { table, items } = tableWith(holds)
    expect(await askLeadingKeys(table)).toBe(verdict)
    expect([...items]).toEqual([])
    expect(sentenceOf(verdict)).toContain(verdict)
  })

  test('counts a cancelled transaction as a refusal only if access was denied', async () => {
    const refused = (code: string) => new TransactionRefused({ put: code })
    expect(await askLeadingKeys(tableWith(perAction, refused('AccessDenied')).table)).toBe('per action')
    await expect(askLeadingKeys(tableWith(perAction, refused('TransactionConflict')).table)).rejects.toThrow('Conflict')
  })

  test.each([
    ['less', () => false],
    ['more', () => true],
  ] satisfies [
    string,
    Iam,
  ][])('is not answered by credentials that may do %s than the policy says', async (_, holds) => {
    await expect(askLeadingKeys(tableWith(holds).table)).rejects.toThrow(CannotTell)
  })

  test('runs on AWS only', () => {
    expect(localEndpoint({})).toBeUndefined()
    expect(
      localEndpoint({ AWS_ENDPOINT_URL: 'https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com' }),
    ).toBeUndefined()
    expect(localEndpoint({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:4000' })).toBe('http://127.0.0.1:4000')
    expect(localEndpoint({ DYNAMODB_ENDPOINT: 'http://amazonaws.com.example' })).toBe('http://amazonaws.com.example')
  })
})
