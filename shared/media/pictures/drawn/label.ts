import type { Motif } from '../../../catalogue/wines/stored.ts'
import { cleanAll } from '../../letters/clean.ts'
import type { FaceOf } from '../../letters/faces.ts'
import { capOf, type Room } from './bottle.ts'
import { choose, lighten, mix } from './colors.ts'
import { block, facesFor, leading, line, type Type } from './lettering.ts'
import { paperLight, roundBody, scale, straight, x, y } from './outline.ts'
import { at, box, ellipse, frame, type Shape } from './shapes.ts'

/** The texts, colours and rectangle of a label; pixels. */
type Label = {
  faceOf: FaceOf
  name: string
  vintage: string
  winery: string
  origin: string
  paper: string
  ink: string
  accent: string
  left: number
  top: number
  width: number
  height: number
}

const middle = ({ left, width }: Label) => left + width / 2

type Sizes = readonly [number, ...number[]]

/** The position of a text: the height of its middle and its maximum height, in parts of the label, and its maximum of lines. */
type Place = { part: number; tall: number; most: number; sizes: Sizes }

/** A type without the properties that `text` adds. */
type Style = Omit<Type, 'size' | 'faceOf'>

const text = (label: Label, words: string, style: Style, { part, tall, most, sizes }: Place): Shape[] => {
  if (!words) return []
  const room = { width: label.width * 0.86, height: label.height * tall, most }
  const { lines, type: set } = block(words, { ...style, faceOf: label.faceOf }, room, sizes)
  const step = set.size * leading
  const first = label.top + label.height * part - ((lines.length - 1) * step) / 2 + set.size * 0.32
  return lines.flatMap((one, n) => line(one, set, middle(label), first + n * step))
}

const nameSizes: Sizes = [58, 54, 50, 46, 42, 38, 34, 30, 27, 24, 21, 18]

const title = (label: Label, font: Type['font'], fill: string, place: { part: number; tall: number }) =>
  text(label, label.name, { font, fill }, { ...place, most: 3, sizes: nameSizes })

const maker = (label: Label, part: number, fill: string) => {
  const type = { font: 'small', fill, tracking: 0.1 } as const
  const place = { part, tall: 0.12, most: 2, sizes: [23, 21, 19, 17, 15, 13] } as const
  return text(label, label.winery.toLocaleUpperCase('de'), type, place)
}

const year = (label: Label, part: number, fill: string, size = 42) =>
  text(label, label.vintage, { font: 'text', fill, tracking: 0.04 }, { part, tall: 1, most: 1, sizes: [size] })

const origin = (label: Label, part: number, fill: string) =>
  text(label, label.origin, { font: 'italic', fill }, { part, tall: 1, most: 1, sizes: [25, 23, 21, 19, 17, 15] })

/** A band over the whole width of the label, between two parts of its height. */
const band = ({ left, top, width, height }: Label, from: number, to: number, fill: string): Shape[] => {
  const strips = 28
  return Array.from({ length: strips }, (_, n) => {
    const start = (width * n) / strips
    const light = paperLight((2 * n + 1) / strips - 1)
    return box(left + start, top + height * from, width - start, height * (to - from), lighten(fill, light))
  })
}

const innerFrame = ({ left, top, width, height }: Label, inset: number, weight: number, fill: string) =>
  frame(left + inset, top + inset, width - 2 * inset, height - 2 * inset, weight, fill)

const ornament = (label: Label, part: number, fill: string): Shape[] => {
  const [centre, height] = [middle(label), label.top + label.height * part]
  const wing = (side: number) => box(side < 0 ? centre - 62 : centre + 14, height - 0.8, 48, 1.6, fill)
  const diamond = `M${at(centre, height - 6)}L${at(centre + 6, height)}L${at(centre, height + 6)}L${at(centre - 6, height)}Z`
  return [wing(-1), wing(1), { d: diamond, fill }]
}

const classic = (label: Label): Shape[] => [
  ...innerFrame(label, 12, 1.6, label.accent),
  ...innerFrame(label, 18, 0.8, label.accent),
  ...maker(label, 0.15, label.ink),
  ...ornament(label, 0.26, label.accent),
  ...title(label, 'text', label.ink, { part: 0.48, tall: 0.36 }),
  ...year(label, 0.74, label.accent),
  ...origin(label, 0.87, label.ink),
]

const modern = (label: Label): Shape[] => [
  ...year(label, 0.19, label.accent, 96),
  box(middle(label) - 26, label.top + label.height * 0.345, 52, 2.4, label.ink),
  ...title(label, 'small', label.ink, { part: 0.55, tall: 0.32 }),
  ...origin(label, 0.78, label.accent),
  ...maker(label, 0.9, label.ink),
]

const divided = (label: Label): Shape[] => [
  ...band(label, 0, 0.62, label.accent),
  ...maker(label, 0.1, mix(label.accent, label.paper, 0.75)),
  ...title(label, 'text', label.paper, { part: 0.37, tall: 0.4 }),
  ...year(label, 0.76, label.accent, 56),
  ...origin(label, 0.91, label.ink),
]

const dark = (label: Label): Shape[] => {
  const gold = '#c8aa6a'
  return [
    ...innerFrame(label, 14, 1.4, gold),
    ...year(label, 0.16, gold),
    ...ornament(label, 0.27, gold),
    ...title(label, 'italic', '#f0e6d2', { part: 0.5, tall: 0.38 }),
    ...origin(label, 0.77, gold),
    ...maker(label, 0.88, '#d8cdb8'),
  ]
}

const hill = ({ left, top, width, height }: Label, from: number, crest: number, to: number, fill: string): Shape => {
  const point = (along: number, part: number) => at(left + width * along, top + height * part)
  const slope = `C${point(0.3, crest)} ${point(0.6, crest)} ${point(1, to)}`
  return { d: `M${point(0, from)}${slope}L${point(1, 1)}L${point(0, 1)}Z`, fill }
}

const hills = (label: Label): Shape[] => {
  const { accent, paper, left, top, width, height } = label
  return [
    ...maker(label, 0.09, label.ink),
    ...title(label, 'text', label.ink, { part: 0.3, tall: 0.3 }),
    ...year(label, 0.53, accent, 36),
    ellipse(left + width * 0.76, top + height * 0.66, 27, 27, mix(accent, '#e8b64c', 0.72)),
    hill(label, 0.74, 0.62, 0.74, mix(accent, paper, 0.68)),
    hill(label, 0.86, 0.78, 0.72, mix(accent, paper, 0.4)),
    hill(label, 0.82, 0.88, 0.92, accent),
  ]
}

const houseWords = /^(Weingut|Château|Domaine|Bodegas?|Schloss|Casa|Vinícola|Quinta|Tenuta|Vi[ñn]a)\s+/i

const disc = (label: Label): Shape[] => {
  const [centre, height] = [middle(label), label.top + label.height * 0.22]
  const initial = Array.from(label.winery.replace(houseWords, ''))[0] ?? ''
  const type = { faceOf: label.faceOf, font: 'italic', size: 76, fill: label.paper } as const
  return [
    ellipse(centre, height, 66, 66, label.accent),
    ellipse(centre, height, 61, 61, label.paper),
    ellipse(centre, height, 57, 57, label.accent),
    ...line(initial.toLocaleUpperCase('de'), type, centre, height + 25),
    ...title(label, 'text', label.ink, { part: 0.56, tall: 0.32 }),
    ...year(label, 0.79, label.accent, 38),
    ...maker(label, 0.91, label.ink),
  ]
}

const bands = (label: Label): Shape[] => [
  ...band(label, 0, 0.17, label.accent),
  ...band(label, 0.183, 0.19, label.accent),
  ...band(label, 0.86, 1, label.accent),
  ...maker(label, 0.085, label.paper),
  ...title(label, 'italic', label.ink, { part: 0.45, tall: 0.4 }),
  ...origin(label, 0.73, label.ink),
  ...year(label, 0.93, label.paper, 38),
]

const dawn = (label: Label): Shape[] => {
  const { left, top, width, height, accent, paper } = label
  const sky = Array.from({ length: 8 }, (_, n) => band(label, n * 0.053, (n + 1) * 0.053, mix(accent, paper, n * 0.1)))
  return [
    ...sky.flat(),
    ellipse(left + width / 2, top + height * 0.25, 46, 46, mix(paper, '#f3d9a0', 0.5)),
    ...band(label, 0.424, 0.43, accent),
    ...title(label, 'text', label.ink, { part: 0.61, tall: 0.3 }),
    ...year(label, 0.82, accent, 38),
    ...maker(label, 0.92, label.ink),
  ]
}

const designs = [classic, modern, divided, dark, hills, disc, bands, dawn] as const

const accents = {
  red: ['#7a2335', '#8c3b2e', '#3c4a5c', '#5c3247', '#6b5a3a', '#2f4a43'],
  pink: ['#c0656b', '#a85a72', '#c97f5f', '#7d8a99'],
  white: ['#5f7a4f', '#a8873c', '#4a6a7c', '#7b7f3f', '#3f6b62', '#8a6a4a'],
} as const

const papers = ['#f8f3e6', '#fbf9f4', '#f3efe4', '#f6f4ef'] as const

const accentOf = (motif: Motif): string => {
  const { type, id } = motif
  if (type === 'red' || type === 'mulledWine') return choose(accents.red, id, 4)
  if (type === 'rose' || type === 'rotling' || type === 'vingris') return choose(accents.pink, id, 4)
  return choose([...accents.white, mix(capOf(motif), '#3a3a3a', 0.3)], id, 4)
}

// Georgian has capitals only for words entirely in capitals.
const capitalise = (words: string) =>
  /^\p{Script=Georgian}/u.test(words) ? words : words.charAt(0).toLocaleUpperCase('de') + words.slice(1)

/** Returns a text in one line, in characters that the faces have. */
const lineOf = (words: string | null, faceOf: FaceOf): string =>
  cleanAll(words ?? '', faceOf)
    .replaceAll('\u00ad', '')
    .replace(/\s+/g, ' ')

/** The label of a wine, in the area that its bottle has for it. */
export const drawLabel = (motif: Motif, { low, high, half }: Room): Shape[] => {
  const design = choose(designs, motif.id, 5)
  const paper = design === dark ? choose(['#24272c', '#2b2224', '#1f2b2a'], motif.id, 6) : choose(papers, motif.id, 6)
  const wide = half * 0.9
  const faceOf = facesFor([motif.name, motif.winery, motif.place].join('\n'))
  const label: Label = {
    faceOf,
    name: capitalise(lineOf(motif.name, faceOf).replace(/\s*\b(19|20)\d\d\b\s*$/, '')),
    vintage: motif.vintage ? String(motif.vintage) : '',
    winery: lineOf(motif.winery, faceOf),
    origin: lineOf(motif.place, faceOf).replace(/\s*\(.*/, ''),
    paper,
    ink: '#2b2725',
    accent: accentOf(motif),
    left: x(-wide),
    top: y(high),
    width: 2 * wide * scale,
    height: (high - low) * scale,
  }
  return [...roundBody(straight([wide, low], [wide, high]), paper, paperLight), ...design(label)]
}
