import type { Motif } from '../../../catalogue/wines/stored.ts'
import { drawnSize, type Size } from '../../../values/picture-name.ts'
import { drawBottle } from './bottle.ts'
import { mix } from './colors.ts'
import { drawLabel } from './label.ts'
import { axis, foot, scale, x, y } from './outline.ts'
import { box, ellipse, type Shape, svgOf } from './shapes.ts'

const [above, below] = ['#f8f6f2', '#ebe6dd']

const steps = 40

/** A soft ground, and the bottle's shadow on it. */
const ground = (): Shape[] => {
  const { width, height } = drawnSize
  const bands = Array.from({ length: steps }, (_, n) =>
    box(0, (height * n) / steps, width, height - (height * n) / steps, mix(above, below, n / (steps - 1))),
  )
  const shadow = Array.from({ length: 24 }, (_, n) => {
    const part = n / 23
    return ellipse(axis + 8, foot + 4, 250 - 105 * part, 34 - 20 * part, mix(below, '#b3aa9c', part ** 2 * 0.9))
  })
  return [...bands, ...shadow]
}

/** The shapes of a picture, and the rectangle of the bottle in pixels. */
export type Drawing = Size & { shapes: Shape[]; left: number; top: number }

/** The bottle of a wine with its label, on a surface of `drawnSize`; the same for the same motif. */
export const drawWine = (motif: Motif): Drawing => {
  const { shapes, room, half, top } = drawBottle(motif)
  const extent = { left: x(-half), top: y(top), width: 2 * half * scale, height: top * scale }
  return { shapes: [...shapes, ...drawLabel(motif, room)], ...extent }
}

/** The drawn picture of a wine as an SVG. */
export const drawnPicture = (motif: Motif): Buffer =>
  Buffer.from(svgOf([...ground(), ...drawWine(motif).shapes], drawnSize))
