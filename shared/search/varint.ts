// Varints: numbers below 2^32 in 7 bits a byte, the lowest first; all bytes of a number but its last have the eighth bit.

/** Collects varints and other bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  length = 0

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const bytes = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + more))
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }

  addNumber(number: number): void {
    this.#reserve(5)
    let rest = number
    for (; rest > 127; rest >>>= 7) this.#bytes[this.length++] = (rest & 127) | 128
    this.#bytes[this.length++] = rest
  }

  /** Adds bytes at the next aligned position. */
  addAligned(bytes: Uint8Array, alignment: number): void {
    const start = Math.ceil(this.length / alignment) * alignment
    this.#reserve(start - this.length + bytes.length)
    this.#bytes.set(bytes, start)
    this.length = start + bytes.length
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }
}

export const varints = (numbers: readonly number[]): Uint8Array => {
  const writer = new ByteWriter()
  for (const number of numbers) writer.addNumber(number)
  return writer.finish()
}

/** The number of bytes of a varint. */
export const varintLength = (number: number): number => {
  let length = 1
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) length++
  return length
}

/** The varint that begins at a position. */
export const numberFrom = (bytes: Uint8Array, start: number): number => {
  let at = start
  let byte = bytes[at]
  let number = byte & 127
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[++at]
    number |= (byte & 127) << shift
  }
  return number
}

/** The varint that ends before a position; none begins before `start`. */
export const numberBefore = (bytes: Uint8Array, at: number, start: number): number => {
  let first = at - 1
  while (first > start && bytes[first - 1] > 127) first--
  return numberFrom(bytes, first)
}
