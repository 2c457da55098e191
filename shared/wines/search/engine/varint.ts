import { numberAt } from './numbers.ts'

/** A number below 2^32 in 7 bits a byte, the lowest first; all bytes but the last have the eighth bit, too. */
export const varint = (number: number): number[] => {
  const bytes: number[] = []
  let rest = number
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

/** How many bytes a number takes. */
export const varintLength = (number: number): number => {
  let length = 1
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) length++
  return length
}

/** The number that begins at a place. */
export const numberFrom = (bytes: Uint8Array, at: number): number => {
  let byte = numberAt(bytes, at)
  let number = byte & 127
  for (let shift = 7; byte > 127; shift += 7) {
    byte = numberAt(bytes, ++at)
    number |= (byte & 127) << shift
  }
  return number
}

/** The number that ends before a place; none begins before `start`. */
export const numberBefore = (bytes: Uint8Array, at: number, start: number): number => {
  let first = at - 1
  while (first > start && numberAt(bytes, first - 1) > 127) first--
  return numberFrom(bytes, first)
}
