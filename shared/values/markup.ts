const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML and XML show it, in elements and in quoted attributes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)

// XML 1.0 holds no other characters, not even escaped, and reads \r as a line end.
const forbidden = /[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** As `escapeMarkup`, without the characters that XML cannot hold. */
export const escapeXml = (text: string): string => escapeMarkup(text.replace(forbidden, ''))
