import { readFileSync } from 'node:fs'

const own = {
  text: 'EBGaramond-Regular.ttf',
  italic: 'EBGaramond-Italic.ttf',
  small: 'SourceSans3-Regular.ttf',
} as const

const forScripts = {
  chinese: 'NotoSansSC-Regular.ttf',
  japanese: 'NotoSansJP-Regular.ttf',
  korean: 'NotoSansKR-Regular.ttf',
  arabic: 'NotoNaskhArabic-Regular.ttf',
  hebrew: 'NotoSerifHebrew-Regular.ttf',
  georgian: 'NotoSerifGeorgian-Regular.ttf',
  armenian: 'NotoSerifArmenian-Regular.ttf',
  thai: 'NotoSansThai-Regular.ttf',
} as const

const files = { ...own, ...forScripts }

/** The faces for texts: `text` and `italic` are the serif, `small` is the sans for labels and fine print. */
export type FontName = keyof typeof own

type ScriptFace = keyof typeof forScripts

/** A typeface for texts, or for a script that those lack. */
export type Face = FontName | ScriptFace

export const fontNames = Object.keys(own) as FontName[]

/** Returns true if a face has a glyph for a Unicode code point. */
export type HasGlyph = (codePoint: number) => boolean

/** Returns the face for a character of a text in the face `wanted`; undefined if no face has a glyph. */
export type FaceOf = (character: string, wanted: FontName) => Face | undefined

const loaded = new Map<Face, Buffer>()

/** Reads a font file, once per process. */
export const fontData = (face: Face): Buffer => {
  // Relative to the module, so that a bundle finds its fonts in the folder `fonts` next to it.
  const data = loaded.get(face) ?? readFileSync(new URL(`./fonts/${files[face]}`, import.meta.url))
  loaded.set(face, data)
  return data
}

const scripts: readonly [ScriptFace, RegExp][] = [
  ['arabic', /\p{Script_Extensions=Arabic}/u],
  ['hebrew', /\p{Script_Extensions=Hebrew}/u],
  ['georgian', /\p{Script_Extensions=Georgian}/u],
  ['armenian', /\p{Script_Extensions=Armenian}/u],
  ['thai', /\p{Script_Extensions=Thai}/u],
  ['korean', /\p{Script_Extensions=Hangul}/u],
  ['japanese', /\p{Script_Extensions=Hiragana}|\p{Script_Extensions=Katakana}/u],
]
const eastern =
  /\p{Script_Extensions=Han}|\p{Script_Extensions=Hangul}|\p{Script_Extensions=Hiragana}|[\u2e80-\u33ff\uff00-\uffef]/u

// Chinese, Japanese and Korean share characters with different glyphs: the text determines which.
const easternOrder = (text: string): ScriptFace[] => {
  const first: ScriptFace[] = []
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) first.push('japanese')
  if (/\p{Script=Hangul}/u.test(text)) first.push('korean')
  return [...new Set<ScriptFace>([...first, 'chinese', 'japanese', 'korean'])]
}

const scriptFacesOf = (character: string, order: readonly ScriptFace[]): readonly ScriptFace[] => {
  const script = scripts.find(([, signs]) => signs.test(character))?.[0]
  if (eastern.test(character)) return script === 'korean' ? ['korean', ...order] : order
  return script ? [script] : []
}

/**
 * Returns the function that finds faces for a drawing; `texts` contains all its texts. The face for a script is read only
 * when a character needs it, since reading takes longer than drawing.
 */
export const faceFinder = (texts: string, glyphsOf: (face: Face) => HasGlyph): FaceOf => {
  const order = easternOrder(texts)
  const found = new Map<string, Face | undefined>()
  return (character, wanted) => {
    const place = `${wanted} ${character}`
    if (found.has(place)) return found.get(place)
    const codePoint = character.codePointAt(0) ?? 0
    const faces = [wanted, ...fontNames, ...scriptFacesOf(character, order)]
    const face = faces.find(one => glyphsOf(one)(codePoint))
    found.set(place, face)
    return face
  }
}

/** A part of a text in a single face. */
export type Run = { text: string; face: Face }

const joinsBefore = /[\p{M}\u200c]/u

/** Splits a text into parts of a single face; a mark stays with its letter. */
export const runsOf = (faceOf: FaceOf, text: string, font: FontName): Run[] => {
  const runs: Run[] = []
  for (const character of text) {
    const last = runs.at(-1)
    const isJoined = last && joinsBefore.test(character) && faceOf(character, font) !== undefined
    const face = isJoined ? last.face : (faceOf(character, font) ?? font)
    if (last?.face === face) last.text += character
    else runs.push({ text: character, face })
  }
  return runs
}
