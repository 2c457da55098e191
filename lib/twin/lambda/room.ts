/** The place of one instance, from its start until it is gone. */
export type Place = {
  /** Nothing is to be done; `end` is called if the place is needed before `work` is. */
  rest(end: () => void): void
  work(): void
  /** The instance is gone. */
  leave(): void
}

/** Places for the instances of all functions together. */
export type Room = {
  /**
   * Hands a place over, at once or when there is one: the instance that has rested longest goes, and whoever has waited
   * since longest comes first. Returns how to withdraw.
   */
  ask(since: number, take: (place: Place) => void): () => void
  /** Whether somebody waits since before then for a place that nobody is about to leave. */
  isAwaited(since: number): boolean
}

type Ask = { since: number; take(place: Place): void }

/** Room for so many instances. A place is left when its instance is gone, not before: it stands for memory. */
export const createRoom = (most: number): Room => {
  const asks: Ask[] = []
  /** How the instances that rest are ended, the one that has rested longest first. */
  const resting = new Map<Place, () => void>()
  const ending = new Set<Place>()
  let taken = 0

  const settle = (): void => {
    while (taken < most) {
      const ask = asks.shift()
      if (!ask) break
      taken++
      ask.take(newPlace())
    }
    for (const [place, end] of resting) {
      if (asks.length <= ending.size) break
      resting.delete(place)
      ending.add(place)
      end()
    }
  }

  const newPlace = (): Place => {
    const place: Place = {
      rest: end => {
        resting.set(place, end)
        settle()
      },
      work: () => void resting.delete(place),
      leave: () => {
        resting.delete(place)
        ending.delete(place)
        taken--
        settle()
      },
    }
    return place
  }

  return {
    ask: (since, take) => {
      const ask = { since, take }
      const before = asks.findLastIndex(one => one.since <= since)
      asks.splice(before + 1, 0, ask)
      settle()
      return () => {
        const at = asks.indexOf(ask)
        if (at >= 0) asks.splice(at, 1)
      }
    },
    isAwaited: since => asks.length > ending.size && (asks[0]?.since ?? since) < since,
  }
}
