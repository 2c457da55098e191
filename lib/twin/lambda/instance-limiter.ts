import { availableParallelism } from 'node:os'

/** The slot of one instance, from its start until it has exited. */
export type Slot = {
  loaded(): void
  /** The instance has nothing to do; `end` is called if its slot is needed before `busy` is called. */
  idle(end: () => void): void
  busy(): void
  release(): void
}

/** `since` is by `performance.now`; `isFirst` if the function has no instance at all. */
type SlotRequest = { since: number; isFirst: boolean; take(slot: Slot): void }

/** Limits the instances of all functions together. */
export type InstanceLimiter = {
  /**
   * Hands over a slot, immediately or when a slot is free: the instance that has been idle longest is ended for it.
   * Functions without an instance come first, then the longest waiting. Returns how to withdraw.
   */
  request(request: SlotRequest): () => void
  /** True if a function without any instance has waited since before then for a slot that no instance is about to release. */
  isAwaited(since: number): boolean
}

// Loading takes only CPU: many at the same time would each take too long, and most may no longer be needed when the
// first of their function has loaded.
const defaultMaxLoading = Math.max(4, availableParallelism())

const isBefore = (one: SlotRequest, other: SlotRequest): boolean =>
  one.isFirst === other.isFirst ? one.since <= other.since : one.isFirst

/** A slot is released when its instance has exited, not before: a slot limits memory. */
export const instanceLimiter = (maxInstances: number, maxLoading = defaultMaxLoading): InstanceLimiter => {
  const requests: SlotRequest[] = []
  const loading = new Set<Slot>()
  /** How to end the idle instances, the longest idle first. */
  const idle = new Map<Slot, () => void>()
  const ending = new Set<Slot>()
  let taken = 0

  /** How many slots are needed now beyond those that are free or about to be. */
  const countLacking = (requested: number): number =>
    Math.min(requested, maxLoading - loading.size) - (maxInstances - taken) - ending.size

  const settle = (): void => {
    while (taken < maxInstances && loading.size < maxLoading) {
      const request = requests.shift()
      if (!request) break
      taken++
      request.take(newSlot())
    }
    for (const [slot, end] of idle) {
      if (countLacking(requests.length) <= 0) break
      idle.delete(slot)
      ending.add(slot)
      end()
    }
  }

  const newSlot = (): Slot => {
    const slot: Slot = {
      loaded: () => {
        if (loading.delete(slot)) settle()
      },
      idle: end => {
        idle.set(slot, end)
        settle()
      },
      busy: () => void idle.delete(slot),
      release: () => {
        for (const slots of [loading, idle, ending]) slots.delete(slot)
        taken--
        settle()
      },
    }
    loading.add(slot)
    return slot
  }

  return {
    request: request => {
      requests.splice(requests.findLastIndex(one => isBefore(one, request)) + 1, 0, request)
      settle()
      return () => {
        const at = requests.indexOf(request)
        if (at >= 0) requests.splice(at, 1)
      }
    },
    isAwaited: since => countLacking(requests.filter(one => one.isFirst && one.since < since).length) > 0,
  }
}
