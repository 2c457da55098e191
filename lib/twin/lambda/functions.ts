import type { Writable } from 'node:stream'
import type { FunctionModel } from '../template/model.ts'
import { type LocalFunction, localFunction } from './function.ts'
import { instanceLimiter } from './instance-limiter.ts'

export type FunctionsOptions = {
  /** Environment variables in addition to the template's. */
  environmentOf(functionName: string): Record<string, string>
  bundleFolder(bundle: string): string
  compiled: string
  log: Writable
  /** Limit of each function. */
  maxInstances: number
  /** Limit of all functions together. */
  maxAllInstances: number
  /** Awaited before each event of the function that runs the bundle. */
  prepare?(bundle: string): Promise<void>
}

/** All functions of a template, by ARN. */
export type LocalFunctions = {
  /** Replaces the functions by a template's; a changed function serves later events by new instances. */
  apply(models: readonly FunctionModel[]): void
  get(arn: string): LocalFunction | undefined
  /** As LocalFunction.renew, for the function that runs the bundle. */
  renew(bundle: string): void
  close(): Promise<void>
}

export const localFunctions = ({
  environmentOf,
  bundleFolder,
  compiled,
  log,
  maxInstances,
  maxAllInstances,
  prepare,
}: FunctionsOptions): LocalFunctions => {
  const limiter = instanceLimiter(maxAllInstances)
  const present = new Map<string, { model: FunctionModel; local: LocalFunction }>()
  // Functions that are no longer in the template may still be busy.
  const all = new Set<LocalFunction>()

  const create = (model: FunctionModel): LocalFunction => {
    const { name, memoryMb, bundle } = model
    const environment = () => ({
      ...environmentOf(name),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    })
    const folder = bundleFolder(bundle)
    const own = { model, folder, environment, compiled, log, maxInstances, limiter }
    const local = localFunction({ ...own, ...(prepare && { prepare: () => prepare(bundle) }) })
    all.add(local)
    return local
  }

  const applyOne = (model: FunctionModel): void => {
    const known = present.get(model.arn)
    if (known && JSON.stringify(known.model) === JSON.stringify(model)) return
    known?.local.renew(model)
    present.set(model.arn, { model, local: known?.local ?? create(model) })
  }

  return {
    apply: models => {
      models.forEach(applyOne)
      const arns = new Set(models.map(({ arn }) => arn))
      for (const [arn, { local }] of present) {
        if (arns.has(arn)) continue
        local.renew()
        present.delete(arn)
      }
    },
    get: arn => present.get(arn)?.local,
    renew: bundle => {
      for (const { model, local } of present.values()) if (model.bundle === bundle) local.renew()
    },
    close: async () => {
      await Promise.all([...all].map(local => local.close()))
    },
  }
}
