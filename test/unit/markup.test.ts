import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { escapeMarkup, escapeXml } from '../../shared/values/markup.ts'

const read = (xml: string): XmlDocument => XmlDocument.fromString(xml)

test('an escaped text is read as it was, as an element and in an attribute of either quote', () => {
  const text = fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", ';', 'amp', 'ü', '😀') })
  fc.assert(
    fc.property(text, shown => {
      const it = escapeMarkup(shown)
      const document = read(`<a b="${it}" c='${it}'>${it}</a>`)
      try {
        expect(document.root.content).toBe(shown)
        expect(document.root.attrs.map(({ value }) => value)).toEqual([shown, shown])
      } finally {
        document.dispose()
      }
    }),
  )
})

test('characters that XML cannot hold are left out', () => {
  expect(escapeXml('a<\u0000\u0008\ud800\uffff\r\n\tb')).toBe('a&lt;\n\tb')
})
