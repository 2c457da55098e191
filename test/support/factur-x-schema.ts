import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

const root = dirname(dirname(createRequire(import.meta.url).resolve('@stackforge-eu/factur-x')))
const file = join(root, 'schema', 'en16931', 'FACTUR-X_EN16931.xsd')

let made: XsdValidator | undefined

const validator = (): XsdValidator => {
  if (made) return made
  xmlRegisterFsInputProviders()
  using schema = XmlDocument.fromBuffer(readFileSync(file), { url: file })
  made = XsdValidator.fromDoc(schema)
  return made
}

/** The messages of the Factur-X 1.09 schema (profile EN 16931) about an invoice; empty if it is valid. */
export const schemaErrors = (xml: string): string[] => {
  using document = XmlDocument.fromString(xml)
  try {
    validator().validate(document)
    return []
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map(({ message }) => message)
    throw error
  }
}
