import { setTimeout as pause } from 'node:timers/promises'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { Problem } from '../../contract/errors.ts'
import { count } from '../log.ts'
import { itemIn } from './formats.ts'
import type { Key, Stored } from './keys.ts'

/** A write's condition did not hold. */
export class ConditionFailed extends Error {
  readonly #stored: Stored | undefined

  constructor(stored?: Stored) {
    super('the condition of a write did not hold')
    this.#stored = stored
  }

  /** Returns the item at the write's key; undefined if there is none. */
  present<Item>(_written: Key<Item>): Item | undefined {
    return this.#stored && itemIn<Item>(this.#stored)
  }
}

/** The table could not be reached or was too busy, all retries included; the outcome of a write is then unknown. */
export class Unavailable extends Error {}

/** An item would be larger than the table can store, or all of a transaction would be. */
export class TooLarge extends Error {
  constructor() {
    // Stryker disable next-line StringLiteral: Only the log contains it.
    super('an item is larger than the table can store')
  }
}

// Stryker disable next-line StringLiteral: Neither text says that anything is too large.
export const isTooLarge = (message = ''): boolean => /size.* exceed/i.test(message)

/** A transaction was refused as a whole; `reasons` has DynamoDB's code by action, `None` for those that could be written. */
export class TransactionRefused extends Error {
  readonly reasons: Readonly<Record<string, string>>

  constructor(reasons: Record<string, string>) {
    const culprits = Object.entries(reasons).filter(([, code]) => code !== 'None')
    super(`transaction refused: ${culprits.map(([name, code]) => `${name} ${code}`).join(', ')}`)
    this.reasons = reasons
  }

  /** The action's condition did not hold. */
  hasFailed(name: string): boolean {
    return this.reasons[name] === 'ConditionalCheckFailed'
  }

  /** No condition failed: others were writing the same items at the same time. */
  get contended(): boolean {
    return Object.values(this.reasons).every(code => code === 'None' || busy.has(code))
  }
}

/** True if a write was refused because of what another write changed. */
export const isRace = (error: unknown): boolean =>
  error instanceof ConditionFailed || error instanceof TransactionRefused

const busy = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

const unreachable = new Set([
  'InternalServerError',
  'ItemCollectionSizeLimitExceededException',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
])

const plain = (value: AttributeValue): unknown => {
  if (value.N !== undefined) return Number(value.N)
  if (value.M) return plainItem(value.M)
  if (value.L) return value.L.map(plain)
  return value.NULL ? null : (value.S ?? value.BOOL ?? value.B)
}

// The document client reads the items of responses, but not those of errors.
const plainItem = (item: Record<string, AttributeValue>): Stored =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)]))

type SdkError = Error & {
  code?: string
  Item?: Record<string, AttributeValue>
  $metadata?: { httpStatusCode?: number }
}

/** Throws the error of this folder for an error of the SDK, or that error itself. */
export const throwTranslated = (error: SdkError): never => {
  if (error.name === 'ConditionalCheckFailedException') {
    throw new ConditionFailed(error.Item && plainItem(error.Item))
  }
  if (error.name === 'ValidationException' && isTooLarge(error.message)) throw new TooLarge()
  if (error.name === 'TransactionConflictException') count('Conflicts')
  // Stryker disable next-line StringLiteral: Neither is a code of the network.
  const network = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(error.code ?? '')
  const status = error.$metadata?.httpStatusCode ?? 0
  if (network || status >= 500 || unreachable.has(error.name)) throw new Unavailable(error.name, { cause: error })
  throw error
}

/** Milliseconds before the next try, with full jitter: up to 20 after the first try, then twice as many, 640 at most. */
export const jitter = (tried: number): number => Math.random() * Math.min(640, 20 * 2 ** (tried - 1))

/**
 * Calls `attempt` until it returns a value, and returns that. In between it waits for the milliseconds that `pauseAfter`
 * returns; `pauseAfter` throws to give up.
 */
export const poll = async <T>(
  attempt: (tried: number) => Promise<T | undefined>,
  pauseAfter: (tried: number) => number,
): Promise<T> => {
  for (let tried = 1; ; tried++) {
    const value = await attempt(tried)
    if (value !== undefined) return value
    await pause(pauseAfter(tried))
  }
}

/** Counts a retry and waits before it. */
export const pauseBeforeTry = (tried: number): Promise<void> => {
  count('Retries')
  return pause(jitter(tried))
}

/** Runs an attempt that writes a transaction again while `again` is true for its refusal. Throws the last refusal. */
export const retry = async <T>(
  attempt: () => Promise<T>,
  again: (error: TransactionRefused) => boolean | Promise<boolean> = () => true,
  tries = 12,
): Promise<T> => {
  const done = await poll(async tried => {
    try {
      return { value: await attempt() }
    } catch (error) {
      if (!(error instanceof TransactionRefused) || tried === tries || !(await again(error))) throw error
      count('Retries')
      return undefined
    }
  }, jitter)
  return done.value
}

// Milliseconds between the reads: half a second in all.
const pausesMs = [10, 20, 40, 80, 150, 200]

const notShown = (): never => {
  throw new Unavailable('a record that another record names is not visible')
}

const undefinedIfMissing = (error: unknown): undefined => {
  if (error instanceof Problem && error.status === 404) return undefined
  throw error
}

/**
 * Reads a record that another record names, and again for half a second while it is missing (undefined, or a 404): a
 * transaction that writes both shows item by item. Throws Unavailable when the record still does not show then.
 */
export const untilShown = <T>(read: () => Promise<T | undefined>): Promise<T> =>
  poll(
    () => read().catch(undefinedIfMissing),
    tried => pausesMs[tried - 1] ?? notShown(),
  )
