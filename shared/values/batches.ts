/** Groups things, in order, into batches whose sizes add up to at most `max`; a larger thing is a batch of its own. */
export const batchesOf = <Thing>(things: Iterable<Thing>, max: number, sizeOf: (thing: Thing) => number): Thing[][] => {
  const batches: Thing[][] = []
  let left = 0
  for (const thing of things) {
    const size = sizeOf(thing)
    if (size > left) {
      batches.push([])
      left = max
    }
    batches.at(-1)?.push(thing)
    left -= size
  }
  return batches
}
