import { text } from 'node:stream/consumers'
import type { BusEvent } from '../../shared/contract/events.ts'
import { localServer } from './local-server.ts'

type Entry = { DetailType: string; Detail: string; Source: string; EventBusName: string; Time: number }
/** The outcome of an entry: the bus takes it, refuses it, or takes it and its answer is lost. */
type Fate = 'take' | 'refuse' | 'lose'

/** A fake event bus; `taken` contains the accepted entries in order, `fate` sets the outcome of entries. */
export type FakeBus = { taken: BusEvent[]; entries: Entry[]; sizes: number[]; fate(event: BusEvent): Fate }

/** Starts a bus for the events of this process. */
export const startFakeBus = async (): Promise<FakeBus> => {
  const bus: FakeBus = { taken: [], entries: [], sizes: [], fate: () => 'take' }
  const AWS_ENDPOINT_URL_EVENTBRIDGE = await localServer(async (request, response) => {
    const { Entries } = JSON.parse(await text(request)) as { Entries: Entry[] }
    bus.sizes.push(Entries.length)
    const fates = Entries.map(entry => {
      const event = { type: entry.DetailType, detail: JSON.parse(entry.Detail) } as BusEvent
      const fate = bus.fate(event)
      if (fate !== 'refuse') {
        bus.taken.push(event)
        bus.entries.push(entry)
      }
      return fate
    })
    if (fates.includes('lose')) return request.socket.destroy()
    const answers = fates.map((fate, n) => (fate === 'take' ? { EventId: `e${n}` } : { ErrorCode: 'InternalFailure' }))
    response.end(JSON.stringify({ FailedEntryCount: fates.filter(fate => fate === 'refuse').length, Entries: answers }))
  })
  Object.assign(process.env, { AWS_ENDPOINT_URL_EVENTBRIDGE, EVENT_BUS_NAME: 'bus' })
  return bus
}

/** The sequences of each order's events as the bus first took them, by order. */
export const firstPublished = (taken: readonly BusEvent[]): Map<number, number[]> => {
  const sequences = new Map<number, number[]>()
  for (const { detail } of taken) {
    if (!('order_id' in detail)) continue
    const known = sequences.get(detail.order_id) ?? []
    sequences.set(detail.order_id, known.includes(detail.sequence) ? known : [...known, detail.sequence])
  }
  return sequences
}
