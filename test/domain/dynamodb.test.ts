import { absent, type Clause, equals, present } from '../../shared/platform/table/expressions.ts'
import { ConditionFailed, TooLarge } from '../../shared/platform/table/failures.ts'
import { type Key, sortable } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, getItems, putItem, updateItem } from '../../shared/platform/table/table.ts'
import '../support/harness.ts'
import { counted, newPartition, type Probe, probeKey, refusal } from '../support/partitions.ts'

// The properties of DynamoDB that the code relies on, tested with the engine that replaces it. No test reads the text of a
// message: engines differ in those.

const pk = newPartition()
let made = 0
const newKey = () => probeKey(pk, `item ${++made}`)

const stored = async (item: Probe): Promise<Key<Probe>> => {
  const key = newKey()
  await putItem(key, item)
  return key
}

describe('one item', () => {
  test('keeps its values: text, numbers to 2^53, booleans, null, lists, maps and bytes', async () => {
    const item = {
      text: 'Müller-Thurgau 🍇',
      empty: '',
      large: Number.MAX_SAFE_INTEGER,
      small: -0.01,
      yes: true,
      nothing: null,
      list: [1, 'two', [], {}],
      map: { deep: { er: [false] } },
    }
    const key = await stored({ ...item, missing: undefined, bytes: Buffer.from([0, 255, 10]) })
    const { bytes, ...read } = (await getItem(key)) ?? {}
    expect(read).toEqual(item)
    expect([...(bytes as Uint8Array)]).toEqual([0, 255, 10])
  })

  test('is written only if none exists, and the refusal returns the existing one', async () => {
    const key = newKey()
    await putItem(key, { n: 1 }, { when: [absent] })
    const error = await refusal(putItem(key, { n: 2 }, { when: [absent] }))
    expect(error).toBeInstanceOf(ConditionFailed)
    expect((error as ConditionFailed).present(key)).toEqual({ n: 1 })
    expect(await getItem(key)).toEqual({ n: 1 })
  })

  test('is changed only if one exists, and the refusal returns undefined if none does', async () => {
    const key = newKey()
    const error = await refusal(updateItem(key, { set: { n: 1 } }, [present]))
    expect(error).toBeInstanceOf(ConditionFailed)
    expect((error as ConditionFailed).present(key)).toBeUndefined()
    expect(await getItem(key)).toBeUndefined()
  })

  test('is set, stripped and incremented in one change, which returns the whole item', async () => {
    const key = await stored({ keep: 'k', old: 'o', n: 5 })
    const change = { set: { keep: 'K', list: [1] }, remove: ['old', 'never'], add: { n: -7, fresh: 3 } }
    expect(await updateItem(key, change)).toEqual({ keep: 'K', list: [1], n: -2, fresh: 3 })
  })

  test('is created by a change without a condition', async () => {
    const key = newKey()
    expect(await updateItem(key, { add: { n: 1 } })).toEqual({ n: 1 })
  })

  test('is returned as it was when it is deleted; undefined if there was none', async () => {
    const key = await stored({ n: 1 })
    expect(await deleteItem(key)).toEqual({ n: 1 })
    expect(await deleteItem(key)).toBeUndefined()
  })

  test('may have attributes with the names of reserved words', async () => {
    const key = await stored({ status: 1, name: 'n', values: [] })
    expect(await updateItem(key, { set: { name: 'N' }, remove: ['values'] }, [equals('status', 1)])).toEqual({
      status: 1,
      name: 'N',
    })
  })

  test('is smaller than 400 KB', async () => {
    const key = await stored({ text: 'x'.repeat(390 * 1024) })
    expect(await refusal(putItem(newKey(), { text: 'x'.repeat(401 * 1024) }))).toBeInstanceOf(TooLarge)
    expect(await refusal(updateItem(key, { set: { more: 'x'.repeat(20 * 1024) } }))).toBeInstanceOf(TooLarge)
    expect(await getItem(key)).not.toHaveProperty('more')
  })

  test('with a future time of expiry exists, and one with a long past time does no harm', async () => {
    const now = Math.floor(Date.now() / 1000)
    const [ahead, past] = [await stored({ expires: now + 3600 }), await stored({ expires: now - 3600 })]
    expect(await getItem(ahead)).toEqual({ expires: now + 3600 })
    // DynamoDB deletes it some time later: until then it may be read.
    expect([undefined, now - 3600]).toContain((await getItem(past))?.expires)
    expect(await updateItem(past, { set: { expires: now + 60 } })).toMatchObject({ expires: now + 60 })
  })
})

describe('a condition', () => {
  const holds = async (key: Key<Probe>, ...clauses: Clause<Probe>[]): Promise<boolean> =>
    updateItem(key, { add: { tries: 1 } }, clauses).then(
      () => true,
      error => {
        if (error instanceof ConditionFailed) return false
        throw error
      },
    )

  test('compares numbers as numbers and text byte by byte', async () => {
    const key = await stored({ n: 10, text: 'b' })
    const results = (attribute: string, value: unknown) =>
      Promise.all((['=', '<>', '<', '<=', '>', '>='] as const).map(is => holds(key, { attribute, is, value })))
    expect(await results('n', 9)).toEqual([false, true, false, false, true, true])
    expect(await results('n', 10)).toEqual([true, false, false, true, false, true])
    expect(await results('text', 'ab')).toEqual([false, true, false, false, true, true])
    expect(await results('text', 'ä')).toEqual([false, true, true, true, false, false])
  })

  test('is false if the attribute is missing or of another type, except “differs”', async () => {
    const key = await stored({ text: '10' })
    expect(await holds(key, equals('n', 10))).toBe(false)
    expect(await holds(key, { attribute: 'n', is: '>=', value: 0 })).toBe(false)
    expect(await holds(key, equals('text', 10))).toBe(false)
    expect(await holds(key, { attribute: 'text', is: '<>', value: 10 })).toBe(true)
  })

  test('compares lists and null as a whole', async () => {
    const key = await stored({ list: [{ id: 1 }, { id: 2 }], nothing: null })
    expect(await holds(key, equals('list', [{ id: 1 }, { id: 2 }]), equals('nothing', null))).toBe(true)
    expect(await holds(key, equals('list', [{ id: 2 }, { id: 1 }]))).toBe(false)
  })

  test('distinguishes text from null and from a missing attribute, and may allow either', async () => {
    const key = await stored({ text: '', nothing: null })
    expect(await holds(key, { attribute: 'text', is: 'text' })).toBe(true)
    expect(await holds(key, { attribute: 'nothing', is: 'text' })).toBe(false)
    expect(await holds(key, { attribute: 'missing', is: 'text' })).toBe(false)
    expect(await holds(key, { attribute: 'nothing', is: 'present' }, { attribute: 'missing', is: 'absent' })).toBe(true)
    const either = ['missing', 'nothing', 'text'].map(attribute => ({ attribute, is: 'text' as const }))
    expect(await holds(key, { anyOf: either })).toBe(true)
    expect(await holds(key, { anyOf: either.slice(0, 2) })).toBe(false)
  })

  test('lets 25 concurrent writers through one after the other', async () => {
    const key = await stored({ n: 0 })
    const raise = async (): Promise<void> => {
      const n = Number((await getItem(key))?.n)
      const error = await refusal(updateItem(key, { set: { n: n + 1 } }, [equals('n', n)]))
      if (error instanceof ConditionFailed) return raise()
    }
    await Promise.all(counted(25).map(raise))
    expect(await getItem(key)).toMatchObject({ n: 25 })
  })
})

test('50 concurrent writers who increment a counter get 50 different numbers', async () => {
  const key = newKey()
  const numbers = await Promise.all(counted(50).map(async () => Number((await updateItem(key, { add: { n: 1 } })).n)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(counted(50))
})

describe('many items by their keys', () => {
  test('are returned in the order of the keys, more than a hundred, missing and repeated keys included', async () => {
    const pk = newPartition()
    const keys = counted(150).map(n => probeKey(pk, sortable(n)))
    await Promise.all(keys.map((key, n) => putItem(key, { n })))
    const wanted = [...keys.toReversed(), probeKey(pk, 'none'), ...keys.slice(0, 3)]
    const found = await getItems(wanted)
    expect(found.map(item => item?.n)).toEqual([...keys.map((_, n) => 149 - n), undefined, 0, 1, 2])
  })

  test('are all returned, even if they exceed one response', async () => {
    const pk = newPartition()
    const keys = counted(44).map(n => probeKey(pk, sortable(n)))
    for (const key of keys) await putItem(key, { text: 'x'.repeat(390 * 1024) })
    expect((await getItems(keys)).filter(item => item !== undefined)).toHaveLength(44)
  })
})
