import { readFileSync } from 'node:fs'
import { type FontName, fontData, fontNames, type HasGlyph } from '../fonts.ts'

const files = {
  chinese: 'NotoSansSC-Regular.ttf',
  japanese: 'NotoSansJP-Regular.ttf',
  korean: 'NotoSansKR-Regular.ttf',
  arabic: 'NotoNaskhArabic-Regular.ttf',
  hebrew: 'NotoSerifHebrew-Regular.ttf',
  georgian: 'NotoSerifGeorgian-Regular.ttf',
  armenian: 'NotoSerifArmenian-Regular.ttf',
  thai: 'NotoSansThai-Regular.ttf',
} as const

type ScriptFace = keyof typeof files

/** A face of a sheet: one of its own, or one for a script that those lack. */
export type Face = FontName | ScriptFace

/** The face that prints a character where `wanted` is asked for; undefined where no face does. */
export type FaceOf = (character: string, wanted: FontName) => Face | undefined

const loaded = new Map<ScriptFace, Buffer>()

// Relative to the module, as in `shared/fonts.ts`: in a bundle both folders are one.
const scriptData = (face: ScriptFace): Buffer => {
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

// Chinese, Japanese and Korean share signs but not their shapes: the text tells whose are meant.
const easternOrder = (text: string): ScriptFace[] => {
  const first: ScriptFace[] = []
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) first.push('japanese')
  if (/\p{Script=Hangul}/u.test(text)) first.push('korean')
  return [...new Set<ScriptFace>([...first, 'chinese', 'japanese', 'korean'])]
}

const scriptFacesOf = (character: string, order: readonly ScriptFace[]): readonly ScriptFace[] => {
  const own = scripts.find(([, script]) => script.test(character))?.[0]
  if (eastern.test(character)) return own === 'korean' ? ['korean', ...order] : order
  return own ? [own] : []
}

type OpenFont = { _font: { font: { hasGlyphForCodePoint: HasGlyph } } }

/**
 * Makes the faces known to a document, those for scripts when a character first needs them: reading one takes longer than
 * drawing a sheet. `texts` is all that the sheet says, in one.
 */
export const openFaces = (doc: PDFKit.PDFDocument, texts: string): FaceOf => {
  const order = easternOrder(texts)
  const open = new Map<Face, HasGlyph>()
  const glyphsOf = (face: Face): HasGlyph => {
    const known = open.get(face)
    if (known) return known
    doc.registerFont(face, face in files ? scriptData(face as ScriptFace) : fontData(face as FontName))
    // pdfkit's types hide the parsed font, the one place that knows the glyphs.
    const { font } = (doc.font(face) as unknown as OpenFont)._font
    const hasGlyph: HasGlyph = codePoint => font.hasGlyphForCodePoint(codePoint)
    open.set(face, hasGlyph)
    return hasGlyph
  }
  for (const name of fontNames) glyphsOf(name)
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
