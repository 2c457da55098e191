/** Positions in a dictionary, in the narrowest type that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array

export const bytesOf = (arrays: readonly { byteLength: number }[]): number =>
  arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** The number at a place. Throws RangeError if there is none. */
export const numberAt = (numbers: Codes | Float64Array, place: number): number => {
  const number = numbers[place]
  if (number === undefined) throw new RangeError(`there is no number at ${place}`)
  return number
}

/** The first place below `end` where `isReached` is true, and from which on it is true; `end` if there is none. */
export const lowerBound = (end: number, isReached: (place: number) => boolean): number => {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The places of each number in a sorted copy: those of number n are from `starts[n]` up to `starts[n + 1]`. */
export const offsetsOf = (numbers: ArrayLike<number>, size: number): Uint32Array => {
  const starts = new Uint32Array(size + 1)
  for (let n = 0; n < numbers.length; n++) {
    const number = numbers[n]
    starts[number + 1]++
  }
  for (let number = 0; number < size; number++) starts[number + 1] += starts[number]
  return starts
}

/** The inverse of a permutation: the place of each number in it. */
export const placesIn = (permutation: Uint32Array): Uint32Array => {
  const places = new Uint32Array(permutation.length)
  for (let place = 0; place < places.length; place++) places[permutation[place]] = place
  return places
}

/**
 * The places of numbers below a size, sorted by number; equal numbers stay in the order of `given`, from 0 on by
 * default. A counting sort, without comparisons.
 */
export const countingSort = (numbers: ArrayLike<number>, size: number, given?: Uint32Array): Uint32Array => {
  const next = offsetsOf(numbers, size)
  const sorted = new Uint32Array(numbers.length)
  for (let n = 0; n < sorted.length; n++) {
    const place = given ? given[n] : n
    const number = numbers[place]
    const at = next[number]
    sorted[at] = place
    next[number] = at + 1
  }
  return sorted
}
