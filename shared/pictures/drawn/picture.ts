import { drawnSize } from '../../picture-name.ts'
import type { Motif } from '../../wines/links.ts'
import { drawBottle } from './bottle.ts'
import { mixed } from './colors.ts'
import { drawLabel } from './label.ts'
import { axis, foot } from './outline.ts'
import { box, ellipse, type Shape, svgOf } from './shapes.ts'

const [above, below] = ['#f8f6f2', '#ebe6dd']

const steps = 40

/** A soft ground, and the bottle's shadow on it. */
const ground = (): Shape[] => {
  const { width, height } = drawnSize
  const bands = Array.from({ length: steps }, (_, n) =>
    box(0, (height * n) / steps, width, height - (height * n) / steps, mixed(above, below, n / (steps - 1))),
  )
  const shadow = Array.from({ length: 24 }, (_, n) => {
    const part = n / 23
    return ellipse(axis + 8, foot + 4, 250 - 105 * part, 34 - 20 * part, mixed(below, '#b3aa9c', part ** 2 * 0.9))
  })
  return [...bands, ...shadow]
}

/** The bottle of a wine with its label: areas on a surface of `drawnSize` pixels, the same for the same motif. */
export const drawWine = (motif: Motif): Shape[] => {
  const { shapes, room } = drawBottle(motif)
  return [...shapes, ...drawLabel(motif, room)]
}

/** The drawn picture of a wine as an SVG. */
export const drawnPicture = (motif: Motif): Buffer => Buffer.from(svgOf([...ground(), ...drawWine(motif)], drawnSize))
