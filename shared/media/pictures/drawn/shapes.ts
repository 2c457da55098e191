import type { Size } from '../../../values/picture-name.ts'

/** An area in an opaque colour, with its outline as an SVG path: it looks the same in SVG and PDF. */
export type Shape = { d: string; fill: string }

const round = (value: number): string => String(Math.round(value * 10) / 10)

/** A point of an outline. */
export const at = (x: number, y: number): string => `${round(x)} ${round(y)}`

/** A rectangle. */
export const box = (x: number, y: number, width: number, height: number, fill: string): Shape => ({
  d: `M${at(x, y)}H${round(x + width)}V${round(y + height)}H${round(x)}Z`,
  fill,
})

/** An ellipse. */
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string): Shape => {
  const arc = `A${at(rx, ry)} 0 0 1 `
  return { d: `M${at(x - rx, y)}${arc}${at(x + rx, y)}${arc}${at(x - rx, y)}Z`, fill }
}

/** The frame of a rectangle, drawn inside of it. */
export const frame = (x: number, y: number, width: number, height: number, weight: number, fill: string): Shape[] => [
  box(x, y, width, weight, fill),
  box(x, y + height - weight, width, weight, fill),
  box(x, y, weight, height, fill),
  box(x + width - weight, y, weight, height, fill),
]

/** Shapes as a picture. */
export const svgOf = (shapes: readonly Shape[], { width, height }: Size): string => {
  const paths = shapes.map(({ d, fill }) => `<path d="${d}" fill="${fill}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${paths.join('')}</svg>`
}
