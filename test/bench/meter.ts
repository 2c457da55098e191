import { documents } from '../../shared/platform/table/table.ts'

/** The cost of requests to the table: `sequential` counts those that started after another one ended. */
export type Cost = { requests: number; sequential: number; units: number; bytes: number; ms: number; cpu: number }

type Told = { ConsumedCapacity?: Capacity | Capacity[] }
type Capacity = { CapacityUnits?: number }
type Span = { start: number; end: number }

let spans: Span[] = []
let units = 0
let bytes = 0

documents.middlewareStack.add(
  next => async args => {
    const start = performance.now()
    const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
    spans.push({ start, end: performance.now() })
    const told = [(result.output as Told).ConsumedCapacity ?? []].flat()
    units += told.reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0)
    return result
  },
  { step: 'initialize', name: 'meter' },
)

type Response = { headers?: Record<string, string> }

documents.middlewareStack.add(
  next => async args => {
    const result = await next(args)
    bytes += Number((result.response as Response).headers?.['content-length'] ?? 0)
    return result
  },
  { step: 'deserialize', name: 'bytes' },
)

/** The longest chain of spans of which each began when the one before had ended. */
const chainOf = (all: readonly Span[]): number => {
  let chain = 0
  let end = Number.NEGATIVE_INFINITY
  for (const span of all.toSorted((a, b) => a.end - b.end)) {
    if (span.start < end) continue
    chain++
    end = span.end
  }
  return chain
}

/** Runs an action; returns its cost, including the milliseconds of this process's CPU. */
export const metered = async <T>(act: () => Promise<T>): Promise<Cost & { value: T }> => {
  spans = []
  units = 0
  bytes = 0
  const [started, used] = [performance.now(), process.cpuUsage()]
  const value = await act()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(used)
  return { value, requests: spans.length, sequential: chainOf(spans), units, bytes, ms, cpu: (user + system) / 1000 }
}
