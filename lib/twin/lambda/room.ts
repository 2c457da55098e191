import { availableParallelism } from 'node:os'

/** The place of one instance, from its start until it is gone. */
export type Place = {
  /** The instance has loaded its code. */
  loaded(): void
  /** Nothing is to be done; `end` is called if the place is needed before `work` is. */
  rest(end: () => void): void
  work(): void
  /** The instance is gone. */
  leave(): void
}

/** Who wants a place, since when, and whether it is for a function that has no instance at all. */
type Ask = { since: number; isFirst: boolean; take(place: Place): void }

/** Places for the instances of all functions together. */
export type Room = {
  /**
   * Hands a place over, at once or when there is one: the instance that has rested longest goes. Functions that have none
   * come first, and among equals who has waited since longest. Returns how to withdraw.
   */
  ask(ask: Ask): () => void
  /** Whether a function without any instance waits since before then for a place that nobody is about to leave. */
  isAwaited(since: number): boolean
}

// Loading takes the processor alone: of many at once each would take too long, and most may not be needed any more when
// the first of their function has loaded.
const defaultLoading = Math.max(4, availableParallelism())

const isBefore = (one: Ask, other: Ask): boolean =>
  one.isFirst === other.isFirst ? one.since <= other.since : one.isFirst

/**
 * Room for so many instances, of which so many may be loading. A place is left when its instance is gone, not before: it
 * stands for memory.
 */
export const createRoom = (most: number, mostLoading = defaultLoading): Room => {
  const asks: Ask[] = []
  const loading = new Set<Place>()
  /** How the instances that rest are ended, the one that has rested longest first. */
  const resting = new Map<Place, () => void>()
  const ending = new Set<Place>()
  let taken = 0

  /** How many places are wanted now beyond those that are free or about to be. */
  const lacking = (wanted: number): number =>
    Math.min(wanted, mostLoading - loading.size) - (most - taken) - ending.size

  const settle = (): void => {
    while (taken < most && loading.size < mostLoading) {
      const ask = asks.shift()
      if (!ask) break
      taken++
      ask.take(newPlace())
    }
    for (const [place, end] of resting) {
      if (lacking(asks.length) <= 0) break
      resting.delete(place)
      ending.add(place)
      end()
    }
  }

  const newPlace = (): Place => {
    const place: Place = {
      loaded: () => {
        if (loading.delete(place)) settle()
      },
      rest: end => {
        resting.set(place, end)
        settle()
      },
      work: () => void resting.delete(place),
      leave: () => {
        for (const places of [loading, resting, ending]) places.delete(place)
        taken--
        settle()
      },
    }
    loading.add(place)
    return place
  }

  return {
    ask: ask => {
      asks.splice(asks.findLastIndex(one => isBefore(one, ask)) + 1, 0, ask)
      settle()
      return () => {
        const at = asks.indexOf(ask)
        if (at >= 0) asks.splice(at, 1)
      }
    },
    isAwaited: since => lacking(asks.filter(ask => ask.isFirst && ask.since < since).length) > 0,
  }
}
