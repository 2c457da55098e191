import { escapeMarkup } from '../../../shared/values/markup.ts'

/** A line: for each number of wines its milliseconds of CPU. */
type Line = { name: string; points: [size: number, ms: number][] }

/** One panel of the plot. */
export type Panel = { title: string; lines: Line[] }

// Distinguishable with colour blindness, and in grey by their strokes.
const styles = [
  { color: '#d55e00', dash: '' },
  { color: '#e69f00', dash: '6 2' },
  { color: '#999999', dash: '' },
  { color: '#0072b2', dash: '3 2' },
  { color: '#009e73', dash: '8 2 2 2' },
]

const columns = 4
const [width, height] = [240, 190]
const frame = { left: 46, right: 10, top: 26, bottom: 26 }
const legend = 56

const short = (size: number): string =>
  size >= 1e6 ? `${size / 1e6} M` : size >= 1000 ? `${size / 1000}k` : String(size)

/** A scale by logarithm from values to places. */
const scaleOf = (values: readonly number[], from: number, to: number) => {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))]
  const stretch = high > low ? (to - from) / (high - low) : 0
  return (value: number): number => from + (Math.log10(value) - low) * stretch
}

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escapeMarkup(words)}</text>`

type Range = { sizes: number[]; powers: number[] }

const drawn = ({ title, lines }: Panel, { sizes, powers }: Range): string => {
  const x = scaleOf(sizes, frame.left, width - frame.right)
  const y = scaleOf(
    powers.map(power => 10 ** power),
    height - frame.bottom,
    frame.top,
  )
  const grid = powers.flatMap(power => {
    const at = y(10 ** power)
    const line = `<path d="M${frame.left} ${at.toFixed(1)}H${width - frame.right}" stroke="#ddd"/>`
    // There is room for every other number.
    return power % 2 === 0 ? [line, text(frame.left - 4, at + 3, String(10 ** power), 'text-anchor="end"')] : [line]
  })
  const labels = sizes.map(size => text(x(size), height - frame.bottom + 14, short(size), 'text-anchor="middle"'))
  const curves = lines.map(({ points }, n) => {
    const { color, dash } = styles[n % styles.length] as (typeof styles)[number]
    const places = points.map(([size, ms]) => [x(size).toFixed(1), y(ms).toFixed(1)])
    const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="2.2" fill="${color}"/>`)
    const path = `<path d="M${places.join('L')}" fill="none" stroke="${color}" stroke-width="1.8" stroke-dasharray="${dash}"/>`
    return path + dots.join('')
  })
  return [text(frame.left, 16, title, 'font-weight="bold"'), ...grid, ...labels, ...curves].join('\n')
}

/** Panels side by side on the same scales, CPU against the number of wines, as SVG. */
export const plot = (panels: readonly Panel[]): string => {
  const points = panels.flatMap(({ lines }) => lines.flatMap(line => line.points))
  const times = points.map(([, ms]) => Math.log10(ms))
  const [low, high] = [Math.floor(Math.min(...times)), Math.ceil(Math.max(...times))]
  const range = {
    sizes: [...new Set(points.map(([size]) => size))].sort((a, b) => a - b),
    powers: Array.from({ length: high - low + 1 }, (_, n) => low + n),
  }
  const names = panels[0]?.lines.map(({ name }) => name) ?? []
  const keys = names.map((name, n) => {
    const { color, dash } = styles[n % styles.length] as (typeof styles)[number]
    const at = frame.left + n * 175
    const line = `<path d="M${at} 18h26" stroke="${color}" stroke-width="2.5" stroke-dasharray="${dash}"/>`
    return line + text(at + 32, 22, name, 'font-size="12"')
  })
  const all = panels.map((panel, n) => {
    const [left, top] = [(n % columns) * width, legend + Math.floor(n / columns) * height]
    return `<g transform="translate(${left} ${top})">${drawn(panel, range)}</g>`
  })
  // The last label reaches beyond its panel.
  const [wide, tall] = [columns * width + 12, legend + Math.ceil(panels.length / columns) * height]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" font-family="sans-serif" font-size="10">
<title>Milliseconds of CPU by the number of wines, both in logarithms</title>
<rect width="100%" height="100%" fill="#fff"/>
${text(frame.left, 44, 'milliseconds of CPU by the number of wines', 'fill="#555"')}
${[...keys, ...all].join('\n')}
</svg>
`
}
