type Rgb = readonly [red: number, green: number, blue: number]

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const hex = (channels: Rgb): string => `#${channels.map(one => Math.round(one).toString(16).padStart(2, '0')).join('')}`

/** Mixes two colours; a part of 0 is the first, of 1 the second. Colours are `#rrggbb`. */
export const mix = (from: string, to: string, part: number): string => {
  const [a, b] = [rgbOf(from), rgbOf(to)]
  const at = (n: 0 | 1 | 2) => a[n] + (b[n] - a[n]) * part
  return hex([at(0), at(1), at(2)])
}

/** Mixes a colour with white for light above 0, with black below. */
export const lighten = (color: string, light: number): string =>
  mix(color, light > 0 ? '#ffffff' : '#000000', Math.min(Math.abs(light), 1))

/** Returns an entry of a list, always the same for the same wine; `salt` makes choices independent. */
export const choose = <T>(list: readonly [T, ...T[]], id: number, salt: number): T => {
  let hash = Math.imul(id % 2 ** 31, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return list[((hash ^ (hash >>> 13)) >>> 0) % list.length] ?? list[0]
}
