/** All of what makes something a slice at a time, at once. */
export const atOnce = <Made>(making: Generator<void, Made>): Made => {
  for (;;) {
    const { done, value } = making.next()
    if (done) return value
  }
}

const sortedAtOnce = 512

/** Sorts the numbers below a count, a slice at a time: first some of them each, then what is sorted is merged. */
export function* sortInSlices(count: number, compare: (a: number, b: number) => number): Generator<void, number[]> {
  let runs: number[][] = []
  for (let start = 0; start < count; start += sortedAtOnce) {
    const length = Math.min(sortedAtOnce, count - start)
    runs.push(Array.from({ length }, (_, n) => start + n).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: number[][] = []
    for (let n = 0; n < runs.length; n += 2) {
      // Two runs one behind the other take sorting no more than a walk through them.
      merged.push((runs[n] ?? []).concat(runs[n + 1] ?? []).sort(compare))
      yield
    }
    runs = merged
  }
  return runs[0] ?? []
}
