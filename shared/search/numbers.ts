/** Positions in a dictionary, in the narrowest type that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array

/** How many bytes arrays take. */
export const bytesOf = (arrays: readonly { byteLength: number }[]): number =>
  arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** The number at a place where one must stand. Throws RangeError when there is none. */
export const numberAt = (numbers: Codes | Float64Array, place: number): number => {
  const number = numbers[place]
  if (number === undefined) throw new RangeError(`there is no number at ${place}`)
  return number
}

/** The first place below `end` at which `isReached` holds, `end` if there is none; behind it, it holds everywhere. */
export const firstPlace = (end: number, isReached: (place: number) => boolean): number => {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Where each number begins when some are sorted: number n stands from `starts[n]` up to `starts[n + 1]`. */
export const startsOf = (numbers: ArrayLike<number>, size: number): Uint32Array => {
  const starts = new Uint32Array(size + 1)
  for (let n = 0; n < numbers.length; n++) {
    const number = numbers[n]
    starts[number + 1]++
  }
  for (let number = 0; number < size; number++) starts[number + 1] += starts[number]
  return starts
}

/**
 * The places of numbers below a size, sorted by what stands there; equal ones stay in the order in which places are given,
 * from 0 on by default. Nothing is compared: they are counted into their places.
 */
export const sortedPlaces = (numbers: ArrayLike<number>, size: number, given?: Uint32Array): Uint32Array => {
  const next = startsOf(numbers, size)
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
