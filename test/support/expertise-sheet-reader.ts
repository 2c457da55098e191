import { inflateSync } from 'node:zlib'

const streams = (pdf: Buffer) =>
  Array.from(pdf.toString('latin1').matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs), ([, id = '', source = '']) => {
    const [dictionary = '', packed] = source.split('\nstream\n')
    const packedBytes = Buffer.from(packed?.replace(/\nendstream$/, '') ?? '', 'latin1')
    const isText = packed !== undefined && dictionary.includes('FlateDecode') && !dictionary.includes('/Image')
    return { id, dictionary, content: isText ? inflateSync(packedBytes).toString('latin1') : '' }
  })

type Run = { text: string; x: number; y: number; glyphs: string[] }

/** The lines of text of each page with where they start (points from the upper left), read from the file itself. */
export const runsOfPages = (pdf: Buffer): Run[][] => {
  const objects = streams(pdf)
  const byId = new Map(objects.map(object => [object.id, object]))
  const fonts = objects.flatMap(({ dictionary }) => /\/Font <<(.*?)>>/s.exec(dictionary)?.[1] ?? []).join(' ')
  const maps = new Map<string, string[]>()
  for (const [, name = '', id = ''] of fonts.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const cmap = byId.get(/\/ToUnicode (\d+)/.exec(byId.get(id)?.dictionary ?? '')?.[1] ?? '')?.content ?? ''
    const lists = Array.from(cmap.matchAll(/\[(.*?)\]/g), ([, list = '']) => [...list.matchAll(/<(.*?)>/g)]).flat()
    const letters = lists.map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    )
    maps.set(name, letters)
  }
  const drawn = objects.map(({ content }) => content).filter(content => content.includes('\nBT\n'))
  return drawn.map(page => runsIn(page, maps))
}

const runsIn = (page: string, maps: ReadonlyMap<string, string[]>): Run[] =>
  Array.from(page.matchAll(/BT\n(.*?)ET/gs), ([, block = '']) => {
    const [, x = '', y = ''] = /1 0 0 1 (\S+) (\S+) Tm/.exec(block) ?? []
    const letters = maps.get(/\/(F\d+)/.exec(block)?.[1] ?? '') ?? []
    const glyphs = Array.from(block.matchAll(/<([0-9a-f]+)>/g), ([, hex = '']) => hex.match(/.{4}/g) ?? []).flat()
    const text = glyphs.map(glyph => letters[Number.parseInt(glyph, 16)]).join('')
    return { text, x: Number(x), y: 841.89 - Number(y), glyphs }
  })

/** The sheet's lines of text with where they start (points from the upper left). */
export const runsOf = (pdf: Buffer): Run[] => runsOfPages(pdf)[0] ?? []

/** Text in NFC with every run of blanks as one. */
export const wordsIn = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ')
/** All text of the sheet in drawing order, blanks folded; a word that a hyphen divides is whole again. */
export const textOf = (pdf: Buffer) =>
  wordsIn(
    runsOf(pdf)
      .map(({ text }) => text)
      .join(' '),
  ).replace(/(?<=\p{Ll})- (?=\p{Ll})/gu, '')
/** The text of each page in drawing order, blanks folded. */
export const pagesOf = (pdf: Buffer): string[] =>
  runsOfPages(pdf).map(runs => wordsIn(runs.map(({ text }) => text).join(' ')))
/** Number of page objects in the file. */
export const pageCount = (pdf: Buffer) => [...pdf.toString('latin1').matchAll(/\/Type \/Page\b(?!s)/g)].length
