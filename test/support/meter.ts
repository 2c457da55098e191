import { tableClient } from '../../shared/platform/table/table.ts'

type Capacity = { CapacityUnits?: number }

const meter = { requests: 0, units: 0 }

tableClient.middlewareStack.add(
  next => async args => {
    const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
    const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Capacity | Capacity[] }
    meter.requests++
    for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) meter.units += CapacityUnits
    return result
  },
  { step: 'initialize', name: 'meter' },
)

/** Runs an action; returns its requests to the table, their units, and the milliseconds of this process's CPU. */
export const metered = async <T>(act: () => Promise<T>) => {
  Object.assign(meter, { requests: 0, units: 0 })
  const used = process.cpuUsage()
  const value = await act()
  const { user, system } = process.cpuUsage(used)
  return { value, ...meter, cpu: (user + system) / 1000 }
}
