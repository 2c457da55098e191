import { importWines } from '../../lib/tool/imports/wines.ts'
import { isPublic, publicView, publicWineOf, shards, wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { PublicWine, Wine } from '../../shared/contract/records/wine.ts'
import { filterFields } from '../../shared/contract/records/wine-fields.ts'
import { publicSortFields } from '../../shared/contract/schema/wine-parameters.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { eventually } from '../support/eventually.ts'
import { type Answer, call, type Json } from '../support/harness.ts'
import { chanceOf } from '../support/indexed-wines.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { distinctByScan } from '../support/search-oracle.ts'
import { untilPublished } from '../support/until-published.ts'
import { answerByScan, anyQuestion, found, idsOf } from '../support/wine-questions.ts'
import { askPublic as both, getPublic as get, newWineShop, recordOf, refusal } from '../support/wine-shop.ts'

const shop = await newWineShop()
const other = await newWineShop()
// Other test files publish wines as well; the place distinguishes these.
const place = `Öffentlich ${shop.id}`
const rows = demoWinesOf('sonnenhang').map(row => ({ ...row, place }))
await importWines(shop.id, rows)
const stored = (await query({ pk: partition('wine', { merchant: shop.id }) })).map(wineOf)
const shown = stored
  .filter(wine => wine.place === place && isPublic(wine))
  .map(wine => publicView(wine) as unknown as Wine)
const single = await shop.added({ name: `Einmalig ${shop.id}`, public: 1, winery_id: shop.winery })
const text = `Sichtbar${shop.id}`
const [appears, vanishes] = [await shop.added({ place: text }), await shop.added({ place: text, public: 1 })]

const pause = (milliseconds: number) => new Promise(done => setTimeout(done, milliseconds))
/** Public lists may be five seconds old. */
const fresh = () => pause(5000)

beforeAll(async () => {
  await untilPublished(shop.id)
  await fresh()
})

describe('public lists', () => {
  test('answer a POST and a link like a scan of all active and public wines', async () => {
    const chance = chanceOf(11)
    for (let n = 0; n < fewerInFastLane(20, 60); n++) {
      const { inshop, inwinelist, ...asked } = anyQuestion(shown, chance, publicSortFields)
      const question = { ...asked, filter: { ...asked.filter, place } }
      for (const answer of await both(n % 2 ? '/wines/getAll' : '/wines/search', question))
        expect({ question, ...found(answer) }).toEqual({ question, ...answerByScan(shown, question) })
    }
  })

  test('contain the records without the fields that only the merchant may see', async () => {
    const [answer] = await both('/wines/getAll', { filter: { place }, pageSize: 100 })
    const byId = new Map(shown.map(wine => [wine.id, wine]))
    expect(answer?.json.data.map(recordOf)).toEqual(idsOf(answer as Answer).map(id => byId.get(id)))
  })

  test('can be narrowed to a winery', async () => {
    const winery_id = shown[0]?.winery_id as number
    const question = { winery_id, filter: { place }, pageSize: 100 }
    for (const answer of await both('/wines/getAll', question))
      expect(found(answer)).toEqual(answerByScan(shown, question))
  })

  test('are open to every site, refusals included', async () => {
    const answers = [
      ...(await both('/wines/getAll', { page: 2 })),
      ...(await both('/wines/getAll', { page: 0 })),
      ...(await both('/wines/getPublic', { id: 2 ** 52 })),
      ...(await both('/wines/getFilters', { filter: ['type'] })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 404, 404, 200, 200])
    for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    ['filter={"type":', 'filter'],
    ['filter=red', 'filter'],
    ['filter={"nonsense":1}', 'filter.nonsense'],
    ['query={"nonsense":1}', 'query.nonsense'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['winery_id=x', 'winery_id'],
    [`query=${'x'.repeat(201)}`, 'query'],
  ])('refuse the link ?%s by its path', async (asked, path) => {
    const answer = await call(`/wines/search?${encodeURI(asked)}`, undefined, { method: 'GET' })
    expect(refusal(answer)).toEqual([400, 'validation_failed', path])
  })

  test('can be ordered by few fields, which a refusal names', async () => {
    for (const { json } of await both('/wines/search', { orderBy: 'name, description DESC' })) {
      expect([json.code, json.error, json.fields]).toEqual([
        400,
        'validation_failed',
        [
          {
            path: 'orderBy.1',
            rule: 'sort_term',
            expected: `one of ${publicSortFields.join(', ')}, optionally followed by ASC or DESC`,
          },
        ],
      ])
    }
    expect((await shop.call('wines/search', { orderBy: 'name, description DESC' })).status).toBe(200)
  })

  test('accept the orders that existing shops send', async () => {
    for (const orderBy of ['sorting ASC', 'topseller DESC, sorting ASC', 'chstamp DESC', 'chstamp DESC, name ASC']) {
      for (const { status, json } of await both('/wines/getAll', { orderBy, filter: { place } })) {
        expect({ orderBy, status }).toEqual({ orderBy, status: 200 })
        expect(json.totalCount).toBe(shown.length)
      }
    }
  })

  test('accept a text in a link that only begins like JSON', async () => {
    for (const query of ['[Riesling', '{"name":"x"']) expect((await get('/wines/search', { query })).status).toBe(200)
  })

  test('accept a link with an empty filter, a plus for a blank and unknown parameters', async () => {
    const { status, json } = await call(
      '/wines/search?filter=[]&query=Gut+Sonne+gibt+es+hier+nicht&lazy=0',
      undefined,
      {
        method: 'GET',
      },
    )
    expect([status, json.totalCount]).toEqual([200, 0])
  })

  test('answer a HEAD with headers alone', async () => {
    const { status, text, headers } = await call('/wines/getAll', undefined, { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('content-type')).toContain('application/json')
  })
})

describe('filter values', () => {
  const publicWines = async (): Promise<PublicWine[]> => {
    const all = Array.from({ length: shards }, (_, shard) =>
      query({ pk: partition('publicWine', { shard }), prefix: '0' }),
    )
    return (await Promise.all(all)).flat().flatMap(item => ('doc' in item ? [publicWineOf(item)] : []))
  }

  test('are the distinct values of each field over all public wines, in order', async () => {
    const fields = filterFields.filter(field => field !== 'path_segment')
    const asked = fields.length > 0 && [...fields]
    const compare = async () => {
      const wines = await publicWines()
      const expected = Object.fromEntries(fields.map(field => [field, distinctByScan(wines, field, {})]))
      const answers = await both('/wines/getFilters', { filter: asked })
      return answers.map(({ json }) => ({ json: json.data, expected }))
    }
    const isRight = (pairs: { json: Json; expected: Json }[]) =>
      pairs.every(({ json, expected }) => JSON.stringify(json) === JSON.stringify(expected))
    // Another test file may be changing public wines at this moment.
    const pairs = await eventually(compare, isRight, 1500)
    for (const { json, expected } of pairs) expect(json).toEqual(expected)
  })

  test('may be asked for in a link, separated by commas', async () => {
    const { json } = await call('/wines/getFilters?filter=type,%20bio', undefined, { method: 'GET' })
    expect(Object.keys(json.data)).toEqual(['type', 'bio'])
    expect((await call('/wines/getFilters', { filter: [] })).json.data).toEqual({})
  })

  test.each<[unknown, string]>([
    [['type', 'name'], 'filter.1'],
    [['hash'], 'filter.0'],
    [['cruser_id'], 'filter.0'],
    [[['type']], 'filter.0'],
    [{}, 'filter'],
    [undefined, 'filter'],
    [Array(30).fill('type'), 'filter'],
  ])('of %j are refused by its path', async (filter, path) => {
    expect(refusal(await call('/wines/getFilters', { filter }))).toEqual([400, 'validation_failed', path])
  })
})

describe('one public wine', () => {
  const { id, hash, path_segment } = single
  const read = async (named: object) => (await both('/wines/getPublic', named)).map(refusal)
  const notFound = [404, 'wine_not_found', undefined]

  test('is found by id, hash or path_segment, or by several of them', async () => {
    for (const named of [{ id }, { id: String(id) }, { hash }, { path_segment }, { id, hash, path_segment }]) {
      for (const { json } of await both('/wines/getPublic', named))
        expect(recordOf(json.data)).toEqual(publicView(single))
    }
  })

  test('must be named, and its names must agree', async () => {
    expect(await read({})).toEqual(Array(2).fill([400, 'missing_identifier', undefined]))
    const another = stored.find(one => one.id !== id && isPublic(one)) as Wine
    expect(await read({ id, hash: another.hash })).toEqual(Array(2).fill([400, 'identifier_conflict', undefined]))
  })

  test('that is hidden, inactive or unknown is not found, in one and the same answer', async () => {
    const [inactive, hidden] = [await other.added({ public: 1, active: 0 }), await other.added({ active: 1 })]
    await untilPublished(other.id)
    const options = { headers: { 'x-request-id': 'same' } }
    const unknown = (await call('/wines/getPublic', { id: 2 ** 52 }, options)).text
    for (const one of [inactive, hidden]) {
      const alone = [{ id: one.id }, { hash: one.hash }, { path_segment: one.path_segment }]
      for (const named of [...alone, { id, hash: one.hash }, { id: one.id, hash }]) {
        expect({ named, text: (await call('/wines/getPublic', named, options)).text }).toEqual({ named, text: unknown })
      }
    }
  })

  test('is not found by a malformed hash or path_segment', async () => {
    const wrong = ['x', 'x'.repeat(3000), '\ud800', 'a\u0000b', '#', `${path_segment}#`, '*', hash.toUpperCase()]
    for (const text of wrong) {
      expect((await call('/wines/getPublic', { hash: text })).status).toBe(404)
      expect((await call('/wines/getPublic', { path_segment: text })).status).toBe(404)
    }
    for (const field of ['hash', 'path_segment']) {
      for (const value of [7, true, [], {}]) {
        expect(refusal(await call('/wines/getPublic', { [field]: value }))).toEqual([400, 'validation_failed', field])
      }
    }
  })

  test('is not found by a path_segment that two merchants show, until one of them hides theirs', async () => {
    const name = `Doppelt ${shop.id}`
    const [one, two] = [await shop.added({ name, public: 1 }), await other.added({ name, public: 1 })]
    const named = { path_segment: one.path_segment }
    expect(two.path_segment).toBe(one.path_segment)
    await Promise.all([untilPublished(shop.id), untilPublished(other.id)])
    expect(await read(named)).toEqual([notFound, notFound])
    await other.edit(two.id, { active: 0 })
    await untilPublished(other.id)
    expect((await call('/wines/getPublic', named)).json.data.id).toBe(one.id)
  })

  test('is found by its new path_segment, and no more by the old, once that is published', async () => {
    const one = await shop.added({ name: `Vorher ${shop.id}`, public: 1 })
    await untilPublished(shop.id)
    expect(await read({ path_segment: one.path_segment })).toEqual(Array(2).fill([200, undefined, undefined]))
    const { json } = await shop.edit(one.id, { name: `Nachher ${shop.id}` })
    await untilPublished(shop.id)
    expect(await read({ path_segment: one.path_segment })).toEqual([notFound, notFound])
    expect((await get('/wines/getPublic', { path_segment: json.data.path_segment })).json.data.id).toBe(one.id)
  })
})

test('a wine that is shown or hidden appears in or disappears from every public list within five seconds', async () => {
  const lists = ['/wines/getAll', '/wines/search']
  const ids = async () => {
    const calls = lists.flatMap(path => [1, 2].map(() => call(path, { query: text })))
    return (await Promise.all(calls)).map(answer => [idsOf(answer), answer.json.totalCount])
  }
  expect(await ids()).toEqual(Array(4).fill([[vanishes.id], 1]))
  await shop.edit(appears.id, { public: 1 })
  await shop.edit(vanishes.id, { active: 0 })
  await untilPublished(shop.id)
  // A list shows no record of a hidden wine, even if its index still finds it.
  for (const [now] of await ids()) expect(now).not.toContain(vanishes.id)
  await fresh()
  expect(await ids()).toEqual(Array(4).fill([[appears.id], 1]))
})
