/** Positions in a dictionary, in the narrowest type that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array

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
