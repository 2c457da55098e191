const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const escapeText = (value: string): string =>
  value
    .replace(/[&<>"']/g, char => ENTITIES[char] ?? char)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: keys may hold them, and S3 sends them as references
    .replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, char => `&#x${char.charCodeAt(0).toString(16)};`)

/** An element that holds text; escapes whatever XML would read as markup. */
export const text = (name: string, value: string | number | boolean): string =>
  `<${name}>${escapeText(String(value))}</${name}>`

/** An element that holds other elements; `undefined` children are left out. */
export const nest = (name: string, ...children: (string | undefined)[]): string =>
  `<${name}>${children.filter(child => child !== undefined).join('')}</${name}>`

/** A whole document around its root element. */
export const xmlDocument = (root: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root}`

/** The text of escaped XML content; throws RangeError on a reference to a character that does not exist. */
export const unescapeText = (content: string): string =>
  content.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    return CHARACTERS[name] ?? whole
  })
