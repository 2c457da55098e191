import { OthersWaiting, type Turn } from '../../shared/orders/numbers.ts'
import { inTurn as inTurnForEver } from '../../shared/orders/turns.ts'
import { TransactionRefused, Unavailable } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import { stopTime } from '../support/still-time.ts'

// How requests queue before a counter. Time passes only where somebody waits, so that what is waited is known.

const noon = Date.UTC(2026, 4, 1, 12)
const clock = stopTime(noon)

let last = 0
/** A counter of a merchant's own, of which so many tickets were drawn. */
const newQueue = async (tickets = 0, turn = 0) => {
  const queue = { merchant: ++last as MerchantId, counter: 'orders' } as const
  await putItem(key('numbers', queue), { last: 0, turn, at: 0 })
  if (tickets > 0) await putItem(key('queue', queue), { tickets })
  clock.now = noon
  return queue
}
type Queue = Awaited<ReturnType<typeof newQueue>>
const ticketsOf = async (queue: Queue) => (await getItem(key('queue', queue)))?.tickets ?? 0
const turnOf = async (queue: Queue) => (await getItem(key('numbers', queue)))?.turn

const lost = () => new TransactionRefused({ 'numbers orders': 'ConditionalCheckFailed' })
const busy = () => new TransactionRefused({ stock: 'TransactionConflict' })
const always = () => true

/** What is tested; an attempt that is made again and again without a pause would never end where time stands still. */
const inTurn: typeof inTurnForEver = (queue, attempt, again, joined) => {
  let tries = 0
  const counted = async (turn: Turn) => {
    if (++tries > 3000) throw new Error('it goes on for ever')
    return attempt(turn)
  }
  return inTurnForEver(queue, counted, again, joined)
}

/** Waits in a queue whose turn is what is told at each look; answers when it looked, in milliseconds, and each turn. */
const waitFor = async (queue: Queue, turns: (look: number, passed: number) => number, looks = 1000) => {
  const moments: number[] = []
  let isDue = false
  await inTurn(
    queue,
    async turn => {
      if (turn.ticket === null) throw new OthersWaiting()
      moments.push(clock.now - noon)
      turn.see(turns(moments.length, clock.now - noon))
      isDue = turn.isDue
      if (!isDue && moments.length < looks) throw new OthersWaiting()
      turn.used = isDue
    },
    always,
  )
  return { moments, isDue }
}

describe('an attempt', () => {
  test('that succeeds is the only one, and queues nowhere', async () => {
    const queue = await newQueue()
    let tries = 0
    const act = async ({ counter, ticket }: Turn) => [++tries, counter, ticket]
    expect(await inTurn(queue, act, always)).toEqual([1, 'orders', null])
    expect([await ticketsOf(queue), await turnOf(queue), clock.now]).toEqual([0, 0, noon])
  })

  test('that lost its number draws a ticket, once, and tells it; so does one that others are before', async () => {
    for (const error of [lost, () => new OthersWaiting()]) {
      const queue = await newQueue(4)
      const told: unknown[] = []
      const tickets: unknown[] = []
      const began = clock.now
      await inTurn(
        queue,
        async ({ ticket }) => {
          tickets.push(ticket)
          if (tickets.length < 4) throw error()
        },
        always,
        async (...joined) => {
          told.push(joined)
        },
      )
      expect(tickets).toEqual([null, 5, 5, 5])
      expect([told, await ticketsOf(queue)]).toEqual([[[5, began + 15_000]], 5])
    }
  })

  test('that met another one elsewhere is made again without a ticket, after longer and longer pauses', async () => {
    const queue = await newQueue()
    const moments: number[] = []
    await inTurn(
      queue,
      async () => {
        moments.push(clock.now - noon)
        if (moments.length < 5) throw busy()
      },
      always,
    )
    expect(moments).toEqual([0, 10, 30, 70, 150])
    expect(await ticketsOf(queue)).toBe(0)
  })

  test('begins each time with a turn that nothing was written of', async () => {
    const queue = await newQueue()
    const seen: unknown[] = []
    await inTurn(
      queue,
      async turn => {
        seen.push([turn.used, turn.through])
        Object.assign(turn, { used: true, through: 9 })
        if (seen.length < 3) throw lost()
      },
      always,
    )
    expect(seen).toEqual([
      [false, null],
      [false, null],
      [false, null],
    ])
  })

  test.each([
    ['is refused for good', busy(), () => false],
    ['fails', new Unavailable('no answer'), always],
  ])('that %s is not made again', async (_, error, again) => {
    const queue = await newQueue()
    let tries = 0
    const act = () => {
      tries++
      return Promise.reject(error)
    }
    await expect(inTurn(queue, act, again)).rejects.toBe(error)
    expect([tries, clock.now]).toEqual([1, noon])
  })

  test.each([
    ['of refusals ends with the last of them', busy, TransactionRefused, 15_640],
    ['of waiting ends without an answer', () => new OthersWaiting(), Unavailable, 15_000],
  ])('that comes to nothing for 15 seconds %s', async (_, error, thrown, most) => {
    const queue = await newQueue()
    let moment = 0
    await expect(
      inTurn(
        queue,
        async turn => {
          moment = clock.now - noon
          // Somebody far before goes on and on.
          if (turn.ticket !== null) turn.see(turn.ticket - 400 + Math.floor(moment / 100))
          throw error()
        },
        always,
      ),
    ).rejects.toBeInstanceOf(thrown)
    expect(moment).toBeGreaterThan(13_000)
    expect(moment).toBeLessThanOrEqual(most)
    expect(clock.now - noon).toBeLessThan(17_000)
  })
})

describe('a ticket that came to nothing lets those behind go on', () => {
  /** An attempt that sees a turn once it has a ticket, and says whether a transaction was to write that it was had. */
  const sees =
    (turn: number, used = false) =>
    async (own: Turn) => {
      if (own.ticket === null) throw new OthersWaiting()
      own.see(turn)
      own.used = used
    }

  test.each([
    ['far before it', 0],
    ['just before it', 2],
  ])('where nothing was to be written, or all failed, while the turn was %s', async (_, before) => {
    const queue = await newQueue(2, before)
    await inTurn(queue, sees(before), always)
    expect(await turnOf(queue)).toBe(3)
    const failing = async (turn: Turn) => {
      await sees(before)(turn)
      throw new Error('no')
    }
    await expect(inTurn(queue, failing, always)).rejects.toThrow('no')
    expect(await turnOf(queue)).toBe(4)
  })

  test('but not where the transaction said so itself', async () => {
    const queue = await newQueue(2)
    await inTurn(queue, sees(2, true), always)
    expect(await turnOf(queue)).toBe(0)
  })

  test('nor where a later turn was seen, or stands there', async () => {
    const queue = await newQueue(2)
    await inTurn(queue, sees(3), always)
    expect(await turnOf(queue)).toBe(0)
    const late = await newQueue(2, 9)
    await inTurn(late, sees(0), always)
    expect(await turnOf(late)).toBe(9)
  })
})

describe('whoever waits', () => {
  /** Has a queue of another merchant move at a pace, in milliseconds a turn, which is the usual one from then on. */
  const setPace = async (pace: number) => {
    const queue = await newQueue(20)
    await waitFor(queue, look => {
      if (look === 1) return 0
      clock.now = noon + 20 * pace
      return 20
    })
  }
  beforeEach(() => setPace(30))

  const everyWait = (milliseconds: number, until: number) =>
    Array.from({ length: Math.ceil(until / milliseconds) + 1 }, (_, n) => n * milliseconds)

  test.each([4, 5, 9])('is due when nobody is before: the fifth, of turn %p', async turn => {
    expect(await waitFor(await newQueue(4), () => turn)).toEqual({ moments: [0], isDue: true })
  })

  test.each([
    [1, 5, 400],
    [2, 17, 800],
    [3, 29, 1200],
  ])('behind %p others looks every %p ms, and takes them for gone after %p ms', async (ahead, wait, patience) => {
    const { moments, isDue } = await waitFor(await newQueue(ahead), () => 0)
    expect([moments, isDue]).toEqual([everyWait(wait, patience + 1), true])
  })

  test('takes others for gone only after eight turns of theirs', async () => {
    await setPace(100)
    const { moments } = await waitFor(await newQueue(3), () => 0)
    expect(moments).toEqual(everyWait(29, 2401))
  })

  test('far behind waits for most of what the others take; the longer nothing moves the longer, but not above 1.5 s at once and 3 s in all', async () => {
    const { moments } = await waitFor(await newQueue(13), () => 0)
    expect(moments).toEqual([0, 275, 1517.5, 3017.5, 4517.5])
    // Each of four hundred would take 12 ms at least.
    const many = await waitFor(await newQueue(400), () => 0)
    expect(many.moments.map(moment => Math.round(moment))).toEqual([0, 1500, 3000, 4500, 6000, 7500, 9000])
  })

  test('goes by the pace of those before as it sees it', async () => {
    const { moments } = await waitFor(await newQueue(160), (_, passed) => 100 + Math.floor(passed / 40))
    expect(moments.map(moment => Math.round(moment))).toEqual([
      0, 1500, 2235, 2313, 2342, 2359, 2376, 2381, 2386, 2391, 2396, 2401,
    ])
  })

  test('goes by no pace below 10 ms a turn', async () => {
    const turns = [0, 190, 195, 200]
    const { moments } = await waitFor(await newQueue(200), look => turns[look - 1] ?? 200)
    expect(moments).toEqual([0, 1500, 1568, 1591])
  })

  test('goes by no pace above 500 ms a turn', async () => {
    const { moments } = await waitFor(await newQueue(5), look => {
      if (look === 2) clock.now = noon + 2000
      return look === 1 ? 0 : 1
    })
    expect(moments).toEqual([
      0,
      59,
      ...everyWait(455, 3049)
        .slice(1)
        .map(wait => 2000 + wait),
    ])
  })

  test('begins with the pace that was seen last by somebody who queued', async () => {
    await setPace(100)
    const secondLook = async () => (await waitFor(await newQueue(13), () => 0)).moments[1]
    expect(await secondLook()).toBe(905)
    await setPace(100)
    const passes = async (turn: Turn) => {
      turn.see(0)
      clock.now += 400
      turn.see(1)
      turn.used = true
    }
    await inTurn(await newQueue(), passes, always)
    expect(await secondLook()).toBe(905)
  })
})
