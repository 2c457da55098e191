import { type Commit, lead, leaderKey, waitInQueue } from '../../shared/orders/numbering/queue.ts'
import { TransactionRefused, Unavailable } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, query, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { transact } from '../../shared/platform/table/transact.ts'
import { captureLog } from '../support/captured-log.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { counted } from '../support/partitions.ts'
import { noAnswer, tableCalls } from '../support/table-calls.ts'

// Queued orders and their leader. Time passes only in pauses.

const noon = Date.UTC(2026, 4, 1, 12)
const clock = useFakeClock(noon)
const { lines } = captureLog()

const table = tableCalls()

let last = 0
let merchant: MerchantId
beforeEach(() => {
  clock.now = noon
  merchant = ++last as MerchantId
})

const order = (uuid = 'own') => ({ uuid, doc: Buffer.from('doc'), version: '1' })
const place = (uuid: string, moment = 0) => key('queuedOrder', { merchant, moment, uuid })
/** Queues orders of other requests. */
const lay = async (uuids: readonly string[], more: object = {}) => {
  for (const [n, uuid] of uuids.entries())
    await putItem(place(uuid, n), { ...order(uuid), until: noon + 60_000, expires: 1e10, ...more })
}
const led = (until: number) => putItem(leaderKey(merchant), { owner: 'another', until })
const left = async () =>
  (await query({ pk: partition('queuedOrder', { merchant }) })).map(({ uuid, rejected }) =>
    rejected ? `${uuid}: ${rejected}` : uuid,
  )

/** The committed groups; `attempt` may throw before. */
const committing = (attempt: (uuids: readonly string[]) => unknown = () => {}) => {
  const groups: string[][] = []
  const commit: Commit = async waiting => {
    const uuids = waiting.map(({ uuid }) => uuid)
    await attempt(uuids)
    await transact(waiting.map(({ dequeue, uuid }) => ({ ...dequeue, name: uuid })))
    groups.push(uuids)
    return []
  }
  return { commit, groups }
}
const wait = (commit: Commit) => waitInQueue(merchant, order(), commit, noon + 15_000)

describe('a queued order', () => {
  test('is committed by its own request if no other leads, with those before it', async () => {
    await lay(['one', 'another'])
    const { commit, groups } = committing()
    expect(await wait(commit)).toBe('committed')
    expect([groups, await left(), clock.now - noon]).toEqual([[['one', 'another', 'own']], [], 30])
    expect(await getItem(leaderKey(merchant))).toBeUndefined()
  })

  test('is polled after 30, 100 and then each 250 ms while another request leads; a leader that died costs 1.5 s', async () => {
    await led(noon + 1500)
    const looks: number[] = []
    table.around = ({ name }, act) => {
      if (name === 'BatchGetItemCommand') looks.push(clock.now - noon)
      return act()
    }
    const { commit, groups } = committing()
    expect(await wait(commit)).toBe('committed')
    expect([looks, groups]).toEqual([[30, 130, 380, 630, 880, 1130, 1380, 1630, 1630], [['own']]])
  })

  test('that was rejected is left to its own request, and deleted', async () => {
    await led(noon + 60_000)
    table.around = async ({ name }, act) => {
      const result = await act()
      if (name !== 'PutItemCommand') return result
      table.around = undefined
      const change = { set: { rejected: 'sold out' }, remove: ['doc'] } as const
      await updateItem(place('own', noon), change)
      return result
    }
    expect(await wait(committing().commit)).toBe('rejected')
    expect(await left()).toEqual([])
  })

  test('is withdrawn after its time', async () => {
    await led(noon + 60_000)
    await expect(wait(committing().commit)).rejects.toThrow(Unavailable)
    expect(clock.now).toBeGreaterThan(noon + 15_000)
    expect(clock.now).toBeLessThan(noon + 15_500)
    expect(await left()).toEqual([])
  })

  test.each([
    ['committed', () => deleteItem(place('own', noon))],
    ['rejected', () => updateItem(place('own', noon), { set: { rejected: 'sold out' } })],
  ] as const)('that is %s while it is withdrawn counts as that', async (outcome, act) => {
    await led(noon + 60_000)
    table.around = async ({ name }, go) => {
      if (name === 'DeleteItemCommand') {
        table.around = undefined
        await act()
      }
      return go()
    }
    expect(await wait(committing().commit)).toBe(outcome)
    expect(await left()).toEqual([])
  })

  test.each(['before', 'after'])('whose write got no answer (%s it was done) is deleted', async when => {
    table.around = async ({ name }, act) => {
      if (name !== 'PutItemCommand') return act()
      if (when === 'after') await act()
      throw noAnswer()
    }
    await expect(wait(committing().commit)).rejects.toThrow(Unavailable)
    expect(await left()).toEqual([])
  })

  test('expires after an hour', async () => {
    table.around = async ({ name }, act) => {
      if (name !== 'BatchGetItemCommand') return act()
      table.around = undefined
      const [item] = await query({ pk: partition('queuedOrder', { merchant }) })
      expect(item).toMatchObject({ until: noon + 15_000, expires: noon / 1000 + 3600 })
      return act()
    }
    await wait(committing().commit)
    expect(table.around).toBeUndefined()
  })
})

describe('a leader', () => {
  const names = (to: number) => counted(to).map(n => `order ${String(n).padStart(2, '0')}`)

  test('commits the first fifteen, again until the queue is empty', async () => {
    await lay(names(32))
    const { commit, groups } = committing()
    expect(await lead(merchant, commit)).toBe(true)
    expect(groups).toEqual([names(15), names(30).slice(15), names(32).slice(30)])
  })

  test('is the only one', async () => {
    await lay(['one'])
    await led(noon + 1)
    const { commit, groups } = committing()
    expect([await lead(merchant, commit), groups, await left()]).toEqual([false, [], ['one']])
    await led(noon)
    expect([await lead(merchant, commit), groups]).toEqual([true, [['one']]])
  })

  test('begins no group after a second, so that it ends before its lease, and releases it', async () => {
    await lay(names(60))
    const { commit, groups } = committing(() => {
      clock.now += 500
    })
    await lead(merchant, commit)
    expect([groups.length, await getItem(leaderKey(merchant))]).toEqual([2, undefined])
  })

  test('skips expired and rejected orders, however many', async () => {
    await lay(
      names(20).map(name => `a ${name}`),
      { until: noon },
    )
    await lay(
      names(20).map(name => `b ${name}`),
      { rejected: 'sold out', doc: undefined },
    )
    await putItem(place('c', 30), { ...order('c'), until: noon + 1, expires: 1e10 })
    const { commit, groups } = committing()
    await lead(merchant, commit)
    expect(groups).toEqual([['c']])
    expect(await left()).toHaveLength(40)
  })

  test('rejects an order that it cannot commit, with the reason', async () => {
    await lay(['one', 'another'])
    await lead(merchant, async waiting => {
      const [first, ...rest] = waiting
      if (first) await transact([first.dequeue])
      return rest.map(({ uuid }) => ({ uuid, why: 'sold out' }))
    })
    expect(await left()).toEqual(['another: sold out'])
    const [item] = await query({ pk: partition('queuedOrder', { merchant }) })
    expect(item).not.toHaveProperty('doc')
  })

  test('does not reject an order that was withdrawn', async () => {
    await lay(['one'])
    await lead(merchant, async waiting => {
      await deleteItem(place('one'))
      return waiting.map(({ uuid }) => ({ uuid, why: 'sold out' }))
    })
    expect(await left()).toEqual([])
  })

  test('tries again, after a pause, if it only conflicted with other writes', async () => {
    await lay(['one', 'another'])
    let tries = 0
    const { commit, groups } = committing(() => {
      if (++tries < 3) throw new TransactionRefused({ 'numbers orders': 'ConditionalCheckFailed' })
    })
    await lead(merchant, commit)
    expect([groups, clock.now - noon]).toEqual([[['one', 'another']], 30])
  })

  test('logs an internal error, and rejects only the order that caused it', async () => {
    await lay(['one', 'poison', 'another'])
    const { commit, groups } = committing(uuids => {
      if (uuids.includes('poison')) throw new TypeError('a bug')
    })
    await lead(merchant, commit)
    expect([groups, await left()]).toEqual([[['one'], ['another']], ['poison: failed']])
    expect(lines()).toMatchObject(
      [3, 1].map(orders => ({
        level: 'ERROR',
        message: 'queued orders could not be committed',
        merchant,
        orders,
        error: { name: 'TypeError', message: 'a bug' },
      })),
    )
  })

  test('stops leading without an answer, and logs that; queued requests continue', async () => {
    await lay(['one'])
    let tries = 0
    const { commit, groups } = committing(() => {
      if (++tries === 1) throw new Unavailable('no answer')
    })
    await wait(commit)
    expect([groups, await left()]).toEqual([[['one', 'own']], []])
    expect(lines()).toMatchObject([{ level: 'WARN', message: 'a leader got no answer', merchant }])
  })

  test('that dies between two groups leaves the rest queued', async () => {
    await lay(names(20))
    const { commit } = committing(([first]) => {
      if (first !== 'order 01') throw new Unavailable('no answer')
    })
    table.around = ({ name }, act) => (name === 'DeleteItemCommand' ? Promise.reject(noAnswer()) : act())
    await lead(merchant, commit)
    expect((await getItem(leaderKey(merchant)))?.until).toBe(noon + 1500)
    expect(await queryEntries({ pk: partition('queuedOrder', { merchant }) })).toHaveLength(5)
  })
})
