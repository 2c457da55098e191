import { randomBytes } from 'node:crypto'
import type { Chance } from './indexed-wines.ts'

const stretchOf = ({ length }: Buffer, { below }: Chance): { at: number; size: number } => {
  const at = below(length)
  return { at, size: 1 + below(Math.min(length - at, 4096)) }
}

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

/** The ways in which bytes come to harm; each makes other bytes, nearly always. */
export const damages: Record<string, (bytes: Buffer, chance: Chance) => Buffer> = {
  'cut off': (bytes, { below }) => bytes.subarray(0, below(bytes.length)),
  'without its beginning': (bytes, { below }) => bytes.subarray(1 + below(bytes.length)),
  'going on': (bytes, { below }) => Buffer.concat([bytes, randomBytes(1 + below(5000))]),
  'twice in a row': bytes => Buffer.concat([bytes, bytes]),
  empty: () => Buffer.alloc(0),
  garbage: (_, { below }) => randomBytes(below(100_000)),
  'all zeros': ({ length }) => Buffer.alloc(length),
  'with bits that flipped': (bytes, { below }) =>
    changed(bytes, copy => {
      for (let n = 0; n <= below(8); n++) {
        const at = below(copy.length)
        copy[at] = (copy[at] ?? 0) ^ (1 << below(8))
      }
    }),
  'with bytes that changed places': (bytes, { below }) =>
    changed(bytes, copy => {
      const [a, b] = [below(copy.length), below(copy.length)]
      const kept = copy[a] ?? 0
      copy[a] = copy[b] ?? 0
      copy[b] = kept
    }),
  'with a block of zeros': (bytes, chance) =>
    changed(bytes, copy => {
      const { at, size } = stretchOf(copy, chance)
      copy.fill(0, at, at + size)
    }),
  'with a block from elsewhere': (bytes, chance) =>
    changed(bytes, copy => {
      const { at, size } = stretchOf(copy, chance)
      bytes.copy(copy, at, chance.below(bytes.length), bytes.length)
      bytes.copy(copy, at + size, at + size)
    }),
  'with a beginning of garbage': (bytes, { below }) =>
    changed(bytes, copy => randomBytes(1 + below(Math.min(200, copy.length))).copy(copy)),
}
