import { scalarFields, valueKindOf } from '../../shared/contract/records/wine-fields.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { indexKey, key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import { compareKeys, sortKey } from '../../shared/search/values.ts'
import { bodySample, fieldOf, fieldsWith } from '../support/field-samples.ts'
import { call, type Json } from '../support/harness.ts'
import { sampleInFastLane } from '../support/sampling.ts'
import { untilPublished } from '../support/until-published.ts'
import { idsOf } from '../support/wine-questions.ts'
import { answerNames, newWineShop, recordOf } from '../support/wine-shop.ts'

// Tests every field in the table of a wine's fields: a new field needs no line here.

const shop = await newWineShop()
const original = await shop.added()
const fieldSample = (name: string) => bodySample(name, shop, original.id)
const expectShown = (record: Json, name: string, shown: unknown) =>
  expect({ [name]: record[name] }).toMatchObject({ [name]: shown })
const publicOf = async (id: number): Promise<Json> => {
  await untilPublished(shop.id)
  return (await call('/wines/getPublic', { id })).json.data
}

/**
 * Adds a wine with samples of fields, and asserts that add, get and lists return them, and public routes the public
 * fields.
 */
const expectAdded = async (names: readonly string[]): Promise<void> => {
  const samples = names.map(name => ({ name, ...fieldSample(name) }))
  const added = await shop.added({ public: 1, ...Object.assign({}, ...samples.map(({ given }) => given)) })
  for (const { name, shown } of samples) expectShown(added, name, shown)
  expect(await shop.get(added.id)).toEqual(added)
  for (const route of ['wines/getAll', 'wines/search']) {
    expect((await shop.call(route, { query: { hash: added.hash } })).json.data.map(recordOf)).toEqual([added])
  }
  // A value that hides the wine has no public record.
  if (added.public === 0 || added.active === 0) return
  const seen = await publicOf(added.id)
  for (const { name, shown } of samples)
    if (fieldOf(name).public) expectShown(seen, name, shown)
    else expect(seen).not.toHaveProperty(name)
}

const bodyFields = fieldsWith(field => field.body)
const hiding = ['public', 'active']
// A value that needs another field could hide that the other is missing.
const alone = bodyFields.filter(name => hiding.includes(name) || Object.keys(fieldSample(name).given).length > 1)

test('fields that need no other field are set by add, returned by add, get and lists, and public if the table says so', () =>
  expectAdded(bodyFields.filter(name => !alone.includes(name))))

test.each(
  sampleInFastLane(alone, 4),
)('%s is set by add, returned by add, get and lists, and public if the table says so', name => expectAdded([name]))

describe.each(sampleInFastLane(bodyFields, 4))('%s', name => {
  test('is set by edit, and the wine is found by its new value immediately', async () => {
    const { id } = await shop.added()
    // The original has a translation in this language already, by the test of add.
    const another = name === 'origin_id' ? await shop.added() : original
    const { given, shown } = bodySample(name, shop, another.id)
    const { status, json } = await shop.edit(id, given)
    expect([status, json.details]).toEqual([200, undefined])
    expectShown(json.data, name, shown)
    expect(await shop.get(id)).toEqual(recordOf(json.data))
    const value = json.data[name]
    const one = Array.isArray(value) ? value[0] : value
    const isFound = async (question: object): Promise<boolean> => {
      const answer = await shop.call('wines/search', { ...question, pageSize: 100, orderBy: 'id DESC' })
      expect([question, answer.status]).toEqual([question, 200])
      return idsOf(answer).includes(id)
    }
    const { kind, search, filter } = fieldOf(name)
    if (kind) expect(await isFound({ query: { [name]: one } })).toBe(true)
    if (search) expect(await isFound({ query: String(one) })).toBe(true)
    if (filter)
      expect([await isFound({ filter: { [name]: one } }), await isFound({ filter: { [name]: [] } })]).toEqual([
        true,
        false,
      ])
    else
      expect((await shop.call('wines/search', { filter: { [name]: one } })).json.fields[0].path).toBe(`filter.${name}`)
  })
})

test.each(sampleInFastLane(scalarFields, 4))('lists are ordered by %s, in both directions', async name => {
  for (const direction of ['ASC', 'DESC']) {
    const { status, json } = await shop.call('wines/getAll', { orderBy: `${name} ${direction}`, pageSize: 100 })
    expect(status).toBe(200)
    const keys = json.data.map((wine: Json) => sortKey(valueKindOf(name), wine[name]))
    const ascending = direction === 'ASC' ? keys : keys.toReversed()
    expect(ascending).toEqual(ascending.toSorted(compareKeys))
  }
})

test('getFilters returns the values of every filter field over all public wines', async () => {
  const named = fieldsWith(({ filter, body }) => filter && body)
  const samples = named.map(name => ({ name, ...fieldSample(name) }))
  for (const { given } of samples) await shop.added({ ...given, public: 1 })
  await untilPublished(shop.id)
  // Public lists may be five seconds old.
  await new Promise(done => setTimeout(done, 5000))
  const { json } = await call('/wines/getFilters', { filter: fieldsWith(({ filter }) => filter) })
  expect(Object.keys(json.data)).toEqual(fieldsWith(({ filter }) => filter))
  for (const { name, shown } of samples)
    expect([name, json.data[name]]).toEqual([name, expect.arrayContaining([shown].flat())])
})

test('a wine that was stored before a field existed has its default', async () => {
  const place = key('wine', { merchant: shop.id, id: original.id })
  const item = await getItem(place)
  const { version, ...stored } = JSON.parse(item?.doc ?? '')
  const defaulted = fieldsWith(({ schema, default: usual }) => schema && usual !== undefined)
  for (const name of defaulted) delete stored[name]
  const doc = JSON.stringify({ unheardOf: 1, version, ...stored })
  await putItem(place, { doc, version }, { index: indexKey('wine', { version: 2 ** 40 }) })
  const wine = await shop.get(original.id)
  expect(Object.keys(wine)).toEqual(fieldsWith(field => field.schema))
  // Every wine has these two, without being given.
  expect(wine).toMatchObject({ pdf: original.pdf, expertisePdf: original.expertisePdf })
  const own = ['version', 'pdf', 'expertisePdf']
  for (const name of defaulted.filter(one => !own.includes(one)))
    expect([name, wine[name]]).toEqual([name, fieldOf(name).default])
})

describe('the contract of the routes', () => {
  type Shape = { entries?: Record<string, Shape> }
  const namesIn = (schema: object): string[] => Object.keys((schema as Shape).entries ?? {})
  const wineRoute = /\/wines\/(add|edit|get|getAll|search|getByCategory|getByType|getPublic)$/
  const wineRoutes = routes.filter(({ path }) => wineRoute.test(path))

  test.each(
    wineRoutes.map(route => [route.path, route] as const),
  )('%s names the fields that it returns', (_, route) => {
    const part = route.level === 'public' ? 'public' : 'schema'
    expect(namesIn(route.response).filter(name => name !== 'qrcodes' && !answerNames.includes(name))).toEqual(
      fieldsWith(field => field[part]),
    )
  })

  test.each(['/service/wines/add', '/service/wines/edit'])('%s names the fields that it accepts', path => {
    const { data = {} } = (routes.find(route => route.path === path)?.body as Shape).entries ?? {}
    // Facts are stored beside the record.
    const taken = namesIn(data).filter(name => name !== 'version' && name !== 'facts')
    expect(taken.toSorted()).toEqual(fieldsWith(field => field.body).toSorted())
  })
})
