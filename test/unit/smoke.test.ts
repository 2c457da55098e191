import { spyOn } from 'jest-mock'
import { runSmokeTool } from '../../lib/smoke/command.ts'
import { Difference, differences } from '../../lib/smoke/compare.ts'
import { wrongInSuccess } from '../../lib/smoke/contract.ts'
import {
  askLeadingKeys,
  CannotTell,
  localEndpoint,
  policyFor,
  sentenceOf,
  type Table,
  type Verdict,
} from '../../lib/smoke/leading-keys.ts'
import { sendListed } from '../../lib/smoke/listed.ts'
import { byHand, lastSteps } from '../../lib/smoke/steps.ts'
import type { Answered, Fields, How, Walk } from '../../lib/smoke/walk.ts'
import type { Method } from '../../shared/contract/route.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import type { Key } from '../../shared/platform/table/keys.ts'
import { fillRequest, type Listed, list, routeAt } from '../../shared/reference/examples.ts'

describe('the steps', () => {
  test('by hand are those of requests in the list', () => {
    const listed = new Set(list.requests.map(({ path, does }) => `${path} ${does}`))
    expect(byHand.map(({ path, does }) => `${path} ${does}`).filter(step => !listed.has(step))).toEqual([])
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
    const walked = new Set(['orders/add', 'addresses/add', 'wines/add'].map(path => `/service/${path}`))
    const walk = { walked, left: [] as string[], mark: 'mark', need: () => ({ id: 9, mail: '' }), ask }
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
  const route = routeAt('/wines/getFilters')
  const common = { 'x-request-id': '1', 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' }
  const good = { etag: 'W/"a"', 'cache-control': 'public, max-age=5' }
  const json = { info: 'success', data: {} }
  const wrongIn = (method: Method, headers: Record<string, string>) =>
    wrongInSuccess(route, method, {
      ...{ status: 200, json, bytes: Buffer.from('') },
      headers: new Headers({ ...common, ...headers }),
    })

  test('must have a cache lifetime and an ETag, but not to a POST', () => {
    expect([wrongIn('GET', good), wrongIn('POST', {})]).toEqual([undefined, undefined])
    expect(wrongIn('GET', { etag: good.etag })).toContain('cache-control is null')
    expect(wrongIn('GET', { ...good, 'cache-control': 'public, max-age=86400' })).toContain('86400')
    expect(wrongIn('GET', { 'cache-control': good['cache-control'] })).toContain('etag is null')
    expect(wrongIn('POST', good)).toContain('cache-control is public')
  })
})

describe('a request of the list', () => {
  const route = { path: '/service/addresses/get', does: 'reads', request: { id: '{address.id}' } }
  /** A walk whose calls are answered one after another; `sent` has their fields and headers. */
  const walkOf = (...answers: Partial<Answered>[]) => {
    const sent: unknown[] = []
    const things = { address: { id: 7, city: 'Meißen' }, mark: 'smoke' }
    const call = async (_: string, fields: object, __: unknown, { method, headers }: How) => {
      sent.push([method, fields, headers])
      return { status: 200, headers: new Headers(), json: {}, bytes: Buffer.from(''), ...answers.shift() }
    }
    const fill = (value: Fields) => fillRequest(value, things, () => 'missing')
    const walk = {
      ...{ calls: 0, mark: 'smoke', options: { patience: 1000 } },
      things,
      call,
      fill,
      pause: async () => {},
    }
    return { walk: walk as unknown as Walk, sent, things: things as Fields }
  }

  test('is sent with what earlier answers left, and its answer is kept', async () => {
    const { walk, sent, things } = walkOf({ json: { data: { id: 7, city: 'Pirna' } } })
    await sendListed(walk, { ...route, as: 'read', expect: { data: { id: '{address.id}' } } })
    expect(sent).toEqual([['POST', { id: 7 }, undefined]])
    expect(things.read).toEqual({ id: 7, city: 'Pirna' })
  })

  test('must be answered as expected, with what it wrote, and refused if the list says so', async () => {
    const send = (listed: Partial<Listed>, answer: Partial<Answered>) =>
      sendListed(walkOf(answer).walk, { ...route, ...listed })
    const pirna = { json: { data: { id: 7, city: 'Pirna', active: 1 } } }
    await expect(send({ expect: { data: '{address}' } }, pirna)).rejects.toThrow(
      'data.city is "Pirna" instead of "Meißen"',
    )
    await expect(send({ request: { data: { city: 'Riesa' } } }, pirna)).rejects.toThrow('"Pirna" instead of "Riesa"')
    await send({ request: { data: { city: 'Pirna', active: true, password: 'x' } } }, pirna)
    await expect(send({ refused: 'address_not_found' }, pirna)).rejects.toThrow(
      'status 200 instead of address_not_found',
    )
    await send({ refused: 'address_not_found' }, { word: 'address_not_found' })
    await send({ or: 'address_not_found', expect: { data: {} } }, { word: 'address_not_found' })
    await expect(send({ headers: { etag: 'a' } }, pirna)).rejects.toThrow('the header etag is null instead of "a"')
  })

  test('is repeated until the answer is right only if the list says so', async () => {
    const late = () => walkOf({ json: { data: 1 } }, { json: { data: 2 } })
    await expect(sendListed(late().walk, { ...route, expect: { data: 2 } })).rejects.toThrow('data is 1 instead of 2')
    const { walk, sent } = late()
    await sendListed(walk, { ...route, expect: { data: 2 }, eventually: true })
    expect(sent).toHaveLength(2)
  })

  test('is repeated with its key, and a GET with its ETag', async () => {
    const add = { path: '/service/stocks/add', does: 'counts', request: {} }
    const replayed = new Headers({ 'idempotency-replayed': 'true' })
    const { walk, sent } = walkOf({ json: { data: 1 } }, { json: { data: 1 }, headers: replayed })
    await sendListed(walk, add)
    expect(sent[1]).toEqual(sent[0])
    expect(sent[0]).toEqual(['POST', {}, { 'idempotency-key': 'smoke 0' }])
    await expect(sendListed(walkOf({}, {}).walk, add)).rejects.toThrow('Idempotency-Replayed is null')
    const docs = { path: '/docs', does: 'shows', request: {} }
    const headers = new Headers({ etag: 'a' })
    await sendListed(walkOf({ headers }, { status: 304, headers }).walk, docs)
    await sendListed(walkOf({ headers }, { headers: new Headers({ etag: 'b' }) }).walk, docs)
    await expect(sendListed(walkOf({ headers }, { headers }).walk, docs)).rejects.toThrow('If-None-Match is 200')
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
