import type { Motif } from '../../../catalogue/wines/stored.ts'
import { choose } from './colors.ts'
import { foilLight, glassLight, type Outline, type Point, roundBody, straight } from './outline.ts'
import type { Shape } from './shapes.ts'

/** The area for a label: between two heights, with half its width, in millimetres. */
export type Room = { low: number; high: number; half: number }

type Form = { outline: Outline; room: Room; capFrom: number; top: number; neck: number }

// The glass below the neck ends in a rounded foot.
const footOf = (half: number): { start: Point; steps: Outline['steps'] } => ({
  start: [half - 7, 0],
  steps: [
    [
      [half - 2, 0],
      [half, 2],
      [half, 8],
    ],
  ],
})

type Curve = readonly [Point, Point, Point]

const form = (half: number, shoulder: number, curve: Curve, top: number, capFrom: number, room: Room): Form => {
  const { start, steps } = footOf(half)
  const neck = curve[2][0]
  return {
    outline: { start, steps: [...steps, [[half, shoulder]], curve, [[neck - 0.6, top]]] },
    room,
    capFrom,
    top,
    neck,
  }
}

const bordeaux = form(
  37.5,
  188,
  [
    [37.5, 212],
    [16.5, 208],
    [15, 236],
  ],
  302,
  246,
  { low: 48, high: 162, half: 37.5 },
)

const burgundy = form(
  41.5,
  138,
  [
    [41.5, 180],
    [18.5, 196],
    [15.5, 240],
  ],
  298,
  244,
  { low: 28, high: 130, half: 41.5 },
)

const flute = form(
  36.5,
  142,
  [
    [36.5, 206],
    [16.5, 236],
    [14.6, 286],
  ],
  340,
  288,
  { low: 26, high: 136, half: 36.5 },
)

const sparkling = form(
  43.5,
  128,
  [
    [43.5, 176],
    [21, 190],
    [16.6, 250],
  ],
  312,
  206,
  { low: 26, high: 120, half: 43.5 },
)

const bocksbeutel: Form = {
  outline: {
    start: [40, 0],
    steps: [
      [
        [66, 0],
        [76, 42],
        [74, 76],
      ],
      [
        [72, 122],
        [16.5, 126],
        [15, 166],
      ],
      [[14.4, 224]],
    ],
  },
  room: { low: 26, high: 102, half: 70 },
  capFrom: 172,
  top: 224,
  neck: 15,
}

type FormName = 'bordeaux' | 'burgundy' | 'flute' | 'sparkling' | 'bocksbeutel'
const forms: Record<FormName, Form> = { bordeaux, burgundy, flute, sparkling, bocksbeutel }

const isSparkling = ({ type }: Motif) => type === 'sparkling' || type === 'secco'
const isRed = ({ type }: Motif) => type === 'red' || type === 'mulledWine'
const isPink = ({ type, name }: Motif) =>
  type === 'rose' || type === 'rotling' || type === 'vingris' || (type === 'sparkling' && /\bros[éea]/i.test(name))

const burgundian = /pinot|burgund|chardonnay|bourgogne|syrah|shiraz|nebbiolo|barolo|grenache|garnacha|gamay|beaujolais/i
const northern = /riesling|silvaner|gewürz|gewurz|müller|kerner|scheurebe|muskat|veltliner|elbling/i

const formOf = (motif: Motif): FormName => {
  const { name, place, countrycode, id } = motif
  if (isSparkling(motif)) return 'sparkling'
  if (/franken/i.test(`${place}`) && !isRed(motif)) return 'bocksbeutel'
  const isWhite = !isRed(motif) && !isPink(motif)
  if (isWhite && northern.test(name)) return 'flute'
  if (burgundian.test(name) || /bourgogne|burgund|rhône|piemont/i.test(`${place}`)) return 'burgundy'
  if (isWhite && countrycode === 'de') return 'flute'
  if (isWhite) return choose(['bordeaux', 'burgundy'], id, 1)
  return choose(['bordeaux', 'bordeaux', 'burgundy'], id, 1)
}

const glassOf = (motif: Motif, name: FormName): string => {
  const { id, type } = motif
  if (isPink(motif)) return choose(['#e3a08e', '#e8ae9d', '#dc9190'], id, 2)
  if (type === 'destilate' || type === 'wineBasedDrink' || type === 'spritzer') return '#d8d9c4'
  if (type === 'grapeJuice') return '#6a3550'
  if (name === 'sparkling') return choose(['#2c3f27', '#33432c', '#26342a'], id, 2)
  if (isRed(motif)) return choose(['#2a2f25', '#2f2621', '#25302b'], id, 2)
  if (name === 'flute') return choose(['#4f6b3a', '#587240', '#6a4a2a'], id, 2)
  return choose(['#6c7440', '#7b7a45', '#59683d', '#a9a25c'], id, 2)
}

const capColors: Record<'red' | 'pink' | 'white' | 'foil', readonly [string, ...string[]]> = {
  red: ['#5b1a26', '#22252a', '#7a2b2b', '#3d2b28', '#8a6d3b'],
  pink: ['#c9827c', '#b9a08c', '#d9c3b4', '#8f5d63'],
  white: ['#b9a15a', '#3f5a49', '#8a9a7b', '#cfc6ae', '#4d5d73', '#2d3330'],
  foil: ['#b99b52', '#c8b273', '#2f3336', '#8d2f3a', '#b7b3aa'],
}

/** The colour of a bottle's capsule; labels use it, too. */
export const capOf = (motif: Motif): string => {
  if (isSparkling(motif)) return choose(capColors.foil, motif.id, 3)
  if (isRed(motif)) return choose(capColors.red, motif.id, 3)
  return choose(isPink(motif) ? capColors.pink : capColors.white, motif.id, 3)
}

const capsule = ({ capFrom, top, neck }: Form): Outline =>
  straight(
    [neck + 0.9, capFrom],
    [neck + 0.5, top - 14],
    [neck + 1.6, top - 13],
    [neck + 1.6, top - 1.5],
    [neck, top + 1],
  )

// Foil over the neck of a sparkling wine: it follows the glass and swells over the cork.
const foil: Outline = {
  start: [23.4, 206],
  steps: [
    [
      [19.5, 226],
      [18, 240],
      [17.6, 256],
    ],
    [[17.2, 276]],
    [
      [17.2, 281],
      [20.4, 280],
      [20.4, 286],
    ],
    [[20, 302]],
    [
      [20, 310],
      [15, 313],
      [8, 313.5],
    ],
  ],
}

/** A bottle without its label: the area for the label, half the bottle's width, and its height, in millimetres. */
export type Bottle = { shapes: Shape[]; room: Room; half: number; top: number }

/** The bottle of a wine. */
export const drawBottle = (motif: Motif): Bottle => {
  const name = formOf(motif)
  const { outline, room, ...rest } = forms[name]
  const cap = name === 'sparkling' ? foil : capsule({ outline, room, ...rest })
  const shapes = [...roundBody(outline, glassOf(motif, name), glassLight), ...roundBody(cap, capOf(motif), foilLight)]
  return { shapes, room, half: name === 'bocksbeutel' ? 75 : room.half, top: rest.top + 2 }
}
