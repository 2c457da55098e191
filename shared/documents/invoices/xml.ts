import { escapeXml } from '../../values/markup.ts'

type Attributes = Readonly<Record<string, string>>

/** An element of XML: its name, its text or its children, its attributes. Absent and empty children are left out. */
export type XmlElement = readonly [name: string, content: XmlContent, attributes?: Attributes]
type XmlContent = string | null | undefined | readonly (XmlElement | null | undefined)[]

const writeElement = ([name, content, attributes = {}]: XmlElement, indent: string): string => {
  const opened = Object.entries(attributes).reduce((text, [key, value]) => `${text} ${key}="${escapeXml(value)}"`, name)
  const inner =
    typeof content === 'string'
      ? escapeXml(content.trim())
      : (content ?? []).map(child => (child ? writeElement(child, `${indent}  `) : '')).join('')
  if (inner === '') return ''
  const isText = typeof content === 'string'
  return `${indent}<${opened}>${isText ? inner : `\n${inner}${indent}`}</${name}>\n`
}

/** An XML 1.0 document in UTF-8. Characters that XML cannot hold are left out, and so are elements without content. */
export const xmlText = (root: XmlElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, '')}`
