import type { BusEvent } from '../../shared/contract/events.ts'
import { type PendingEvent, publishInOrder } from '../../shared/events/publish-in-order.ts'
import { startFakeBus } from '../support/fake-bus.ts'
import { counted } from '../support/partitions.ts'

Object.assign(process.env, { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' })
const bus = await startFakeBus()
const published: string[] = []
beforeEach(() => {
  for (const list of [bus.taken, bus.sizes, published]) list.length = 0
  bus.fate = () => 'take'
})

const telling = (id: string): PendingEvent => {
  const detail = { schema: 1, id, customers_id: 1, time: '2026-05-01 12:00:00', sequence: 1, wine_id: 1 } as const
  const event: BusEvent = { type: 'wine.changed', detail: { ...detail, articlenumber: null } }
  return { event, published: async () => void published.push(id) }
}
const lane = (...ids: string[]): PendingEvent[] => ids.map(telling)
const soon = () => Date.now() + 30_000

test('lanes proceed concurrently, and an empty one delays no other', async () => {
  expect(await publishInOrder([[], lane('a'), [], lane('b', 'c')], soon())).toEqual({ givenUp: 0, left: 0 })
  expect(bus.sizes).toEqual([2, 1])
  expect(published).toEqual(['a', 'b', 'c'])
})

test('a lane whose event is refused stops, is tried four times with pauses, and delays no other', async () => {
  const asked: number[] = []
  bus.fate = ({ detail }) => {
    if (detail.id !== 'a') return 'take'
    asked.push(Date.now())
    return 'refuse'
  }
  expect(await publishInOrder([lane('a', 'b'), lane('c', 'd')], soon())).toEqual({ givenUp: 1, left: 0 })
  expect(published).toEqual(['c', 'd'])
  const pauses = asked.slice(1).map((at, n) => at - (asked[n] ?? 0))
  expect(pauses).toHaveLength(3)
  for (const ms of pauses) expect(ms).toBeGreaterThanOrEqual(190)
})

test('if the bus accepts everything there are no pauses: a lane of a hundred is published in less time than they would take', async () => {
  const ids = counted(100).map(String)
  expect(await publishInOrder([lane(...ids)], Date.now() + 100 * 190)).toEqual({ givenUp: 0, left: 0 })
  expect(published).toEqual(ids)
})

test('when the time is over one more request is made, and the remaining events are counted by lane', async () => {
  expect(await publishInOrder([lane('a', 'b'), lane('c'), lane('d', 'e')], Date.now() - 1)).toEqual({
    givenUp: 0,
    left: 2,
  })
  expect([bus.sizes, published.toSorted()]).toEqual([[3], ['a', 'c', 'd']])
})
