import { lighten } from './colors.ts'
import { at, type Shape } from './shapes.ts'

/** A point of a bottle: its distance from the axis and its height above the foot, in millimetres. */
export type Point = readonly [half: number, height: number]

/** The right side of a bottle from its foot up: the first point, then lines (one point) and curves (three points). */
export type Outline = { start: Point; steps: readonly (readonly [Point] | readonly [Point, Point, Point])[] }

/** Pixels per millimetre, and the positions of the axis and the foot of a bottle in the picture. */
export const scale = 4.35
export const axis = 360
export const foot = 1530

export const x = (millimetres: number): number => axis + millimetres * scale
export const y = (millimetres: number): number => foot - millimetres * scale

const point = ([half, height]: Point, part: number) => at(x(half * part), y(height))

const upward = ({ start, steps }: Outline, part: number): string =>
  [
    `M${point(start, part)}`,
    ...steps.map(step => `${step.length === 1 ? 'L' : 'C'}${step.map(one => point(one, part)).join(' ')}`),
  ].join('')

const downward = ({ start, steps }: Outline): string => {
  const ends = [start, ...steps.map(step => step.at(-1) ?? start)]
  return steps
    .map((step, n) => {
      const back = [...step.slice(0, -1).reverse(), ends[n] ?? start]
      return `${back.length === 1 ? 'L' : 'C'}${back.map(one => point(one, 1)).join(' ')}`
    })
    .reverse()
    .join('')
}

/** The light on a round body at `part`, from -1 at its left edge to 1 at its right. */
export type Light = (part: number) => number

const bump = (part: number, place: number, width: number) => Math.exp(-(((part - place) / width) ** 2))

/** Polished: a window at the left, its reflection at the right, dark edges. */
export const glassLight: Light = part =>
  0.46 * bump(part, -0.64, 0.075) +
  0.12 * bump(part, -0.35, 0.25) +
  0.14 * bump(part, 0.76, 0.07) -
  0.42 * Math.abs(part) ** 3

/** Matt metal. */
export const foilLight: Light = part =>
  0.3 * bump(part, -0.45, 0.22) + 0.12 * bump(part, 0.6, 0.16) - 0.34 * Math.abs(part) ** 2.5

/** Paper. */
export const paperLight: Light = part => 0.25 * bump(part, -0.5, 0.2) - 0.3 * Math.abs(part) ** 5

/**
 * A round body: strips from left to right, each reaching to the right edge, so that no seam shows between them.
 */
export const roundBody = (outline: Outline, color: string, light: Light, strips = 56): Shape[] =>
  Array.from({ length: strips }, (_, n) => {
    const part = (2 * n) / strips - 1
    return {
      d: `${upward(outline, part)}L${point(outline.steps.at(-1)?.at(-1) ?? outline.start, 1)}${downward(outline)}Z`,
      fill: lighten(color, light(part + 1 / strips)),
    }
  })

/** An outline without curves. */
export const straight = (start: Point, ...points: readonly Point[]): Outline => ({
  start,
  steps: points.map(one => [one]),
})
