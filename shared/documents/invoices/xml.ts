type Attributes = Readonly<Record<string, string>>

/** An element of XML: its name, its text or its children, its attributes. Absent and empty children are left out. */
export type XmlElement = readonly [name: string, content: XmlContent, attributes?: Attributes]
type XmlContent = string | null | undefined | readonly (XmlElement | null | undefined)[]

// XML 1.0 holds no other characters, not even escaped.
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '' }

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"\r]/g, character => entities[character] ?? '')

const written = ([name, content, attributes = {}]: XmlElement, indent: string): string => {
  const opened = Object.entries(attributes).reduce((text, [key, value]) => `${text} ${key}="${escaped(value)}"`, name)
  const inner =
    typeof content === 'string'
      ? escaped(content.trim())
      : (content ?? []).map(child => (child ? written(child, `${indent}  `) : '')).join('')
  if (inner === '') return ''
  const isText = typeof content === 'string'
  return `${indent}<${opened}>${isText ? inner : `\n${inner}${indent}`}</${name}>\n`
}

/** An XML 1.0 document in UTF-8. Characters that XML cannot hold are left out, and so are elements without content. */
export const xmlText = (root: XmlElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`
