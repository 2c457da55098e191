import { readFileSync } from 'node:fs'

const files = {
  text: 'EBGaramond-Regular.ttf',
  italic: 'EBGaramond-Italic.ttf',
  small: 'SourceSans3-Regular.ttf',
} as const

/** The sheet's faces: `text` and `italic` are the serif, `small` is the sans for labels and fine print. */
export type FontName = keyof typeof files

/** The names of the sheet's faces. */
export const fontNames = Object.keys(files) as FontName[]

/** Tells whether a font has a glyph for a Unicode code point. */
export type HasGlyph = (codePoint: number) => boolean

const loaded = new Map<FontName, Buffer>()

// Relative to the module, so that a bundle finds its fonts in the folder `fonts` beside itself.
const read = (name: FontName) => readFileSync(new URL(`./fonts/${files[name]}`, import.meta.url))

/** A font file; read from disk once per process. */
export const fontData = (name: FontName): Buffer => {
  const known = loaded.get(name)
  if (known) return known
  const data = read(name)
  loaded.set(name, data)
  return data
}
