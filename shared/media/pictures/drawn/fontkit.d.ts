declare module 'fontkit' {
  /** The part of fontkit, a dependency of pdfkit, that lettering uses. */
  type PathCommand = {
    command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
    args: readonly number[]
  }
  type Glyph = { path: { commands: readonly PathCommand[] } }
  type Position = { xAdvance: number; xOffset: number; yOffset: number }
  type Font = {
    unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): { glyphs: readonly Glyph[]; positions: readonly Position[] }
  }
  export function create(data: Uint8Array): Font
}
