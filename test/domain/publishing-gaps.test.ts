import { handler as publishJob } from '../../functions/jobs/publish.ts'
import { publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { feedVersion } from '../../shared/catalogue/search/feed.ts'
import { newWine, shardOf } from '../../shared/catalogue/wines/stored.ts'
import { indexKey, key } from '../../shared/platform/table/keys.ts'
import { getEntries, putItem, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import {
  addPublic,
  backlogOf,
  least,
  newMerchant,
  publicationOf,
  publicDocOf,
  publicProblems,
  runPublish,
  runPublishMissed,
  streamEvent,
} from '../support/published.ts'

describe('while a transaction is in progress', () => {
  // Version 3 is being written: the next version becomes visible before it, or after it.
  const halfWritten = async () => {
    const merchant = await newMerchant()
    const wines = await Promise.all([addPublic(merchant), addPublic(merchant)])
    const [first, second] = wines
    const write = (n: number, version: number) => {
      const [id, path_segment] = [wines[0].id + 8_000_000 * n, `halb-${n}-${merchant}`]
      const identity = { id, customers_id: merchant, cruser_id: 1, path_segment, now: '2026-01-01 00:00:00' }
      const wine = newWine(identity, least())
      const item = { doc: JSON.stringify({ ...wine, public: 1 }), version: 1 }
      return {
        id: wine.id,
        now: (at = version) =>
          putItem(key('wine', { merchant, id: wine.id }), item, { index: indexKey('wine', { version: at }) }),
      }
    }
    const [late, early, other] = [write(1, 3), write(2, 4), write(3, 5)]
    await updateItem(key('catalogue', { merchant }), { set: { version: 4 } })
    return { merchant, late, early, other, shown: [first.id, second.id] }
  }

  test('its visible wines are published, and the others are queried again soon, and published once visible', async () => {
    const { merchant, late, early } = await halfWritten()
    await early.now()
    await runPublish(merchant)
    expect([await publicDocOf(early.id), await publicDocOf(late.id)]).toEqual([expect.any(String), undefined])
    expect((await publicationOf(merchant))?.gaps).toMatchObject([{ from: 3, to: 3 }])
    expect(await backlogOf(merchant)).toEqual({ since: expect.any(Number) })
    // A run that finds nothing writes nothing.
    const before = await publicationOf(merchant)
    await publishNext(merchant)
    expect(await publicationOf(merchant)).toEqual(before)
    await late.now()
    await publishJob(streamEvent(key('backlog', { merchant }).pk))
    expect(await publicDocOf(late.id)).toEqual(expect.any(String))
    expect((await publicationOf(merchant))?.gaps).toEqual([])
    expect(await publicProblems([merchant])).toEqual([])
  })

  test('the newest version, which cannot have been overtaken, is queried again as well', async () => {
    const { merchant, late, early } = await halfWritten()
    await late.now()
    await runPublish(merchant)
    expect(await publicationOf(merchant)).toMatchObject({ high: 4, gaps: [{ from: 4, to: 4 }] })
    expect(await backlogOf(merchant)).toEqual({ since: expect.any(Number) })
    await early.now()
    await runPublishMissed()
    expect(await publicDocOf(early.id)).toEqual(expect.any(String))
    expect(await publicProblems([merchant])).toEqual([])
  })

  test('an old gap is read a last time, and then counts as overtaken', async () => {
    const { merchant, late, early } = await halfWritten()
    await early.now()
    await runPublish(merchant)
    const known = await publicationOf(merchant)
    if (!known) throw new Error('nothing was published')
    const age = (ms: number) =>
      updateItem(key('publication', { merchant }), {
        set: { gaps: known.gaps.map(gap => ({ ...gap, since: Date.now() - ms })) },
      })
    await age(9000)
    expect(await publishNext(merchant)).toBe('nothing')
    expect((await publicationOf(merchant))?.gaps).toHaveLength(1)
    await late.now()
    await age(60_000)
    await runPublishMissed()
    expect(await publicDocOf(late.id)).toEqual(expect.any(String))
    expect((await publicationOf(merchant))?.gaps).toEqual([])
    const done = await publicationOf(merchant)
    await runPublishMissed()
    expect(await publicationOf(merchant)).toEqual(done)
  })

  test('wines that become visible during the second read are published in the order of the changes', async () => {
    const { merchant, late, early, other } = await halfWritten()
    await early.now()
    let asked = 0
    tableClient.middlewareStack.add(
      (next, { commandName = '' }) =>
        async args => {
          const result = await next(args)
          // The first answer lacks one, and has another as it was before.
          if (commandName === 'QueryCommand' && ++asked === 1) {
            await late.now()
            await other.now()
            await early.now(6)
          }
          return result
        },
      { step: 'initialize', name: 'late' },
    )
    await runPublish(merchant).finally(() => tableClient.middlewareStack.remove('late'))
    const keys = [late, other, early].map(({ id }) => key('publicWine', { shard: shardOf(id), id }))
    const [first = 0, ...versions] = (await getEntries(keys)).map(entry => entry && feedVersion(entry))
    expect(versions).toEqual([first + 1, first + 2])
    expect(await backlogOf(merchant)).toBeUndefined()
  })
})
