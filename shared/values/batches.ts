/** Puts things together, in order, as long as their sizes leave room for the next. */
export const batchesOf = <Thing>(
  things: Iterable<Thing>,
  room: number,
  sizeOf: (thing: Thing) => number,
): Thing[][] => {
  const batches: Thing[][] = []
  let left = 0
  for (const thing of things) {
    const size = sizeOf(thing)
    if (size > left) {
      batches.push([])
      left = room
    }
    batches.at(-1)?.push(thing)
    left -= size
  }
  return batches
}
