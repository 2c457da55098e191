import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invoiceXml } from '../../shared/documents/invoices/cii.ts'
import { brokenInvoiceRules } from '../support/en16931.ts'
import { schemaErrors } from '../support/factur-x-schema.ts'
import { isUpdating } from '../support/golden-file.ts'
import { invoiceCases } from '../support/invoice-cases.ts'

// `UPDATE=1 npm test -- test/unit/invoice-golden` rewrites the files. The official rules, which no package carries, are run
// on them from outside.

const folder = join(import.meta.dirname, '..', 'golden', 'invoices')
const names = Object.keys(invoiceCases)
/** Nobody would read these 50 lines: their digest is recorded. */
const isDigest = (name: string): boolean => name === 'long'
const fileOf = (name: string): string => (isDigest(name) ? `${name}.sha256` : `${name}.xml`)

const listing = `# Golden invoices

The XML of invoices and credit advices as the service writes it (EN 16931, CII). \`npm test\` compares them, or the digest of a long one,
validates them by the Factur-X 1.09 schema and checks the rules of \`test/support/en16931.ts\`.

| file | contents |
|---|---|
${Object.entries(invoiceCases)
  .map(([name, [what]]) => `| [${fileOf(name)}](${fileOf(name)}) | ${what} |`)
  .join('\n')}
`

/** Compares a file with its present contents, or rewrites it. */
const expectFile = (name: string, contents: string) => {
  const file = join(folder, name)
  if (isUpdating) writeFileSync(file, contents)
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(contents)
}

describe('the golden invoice', () => {
  test.each(names)('%s is as recorded, valid by the schema, and breaks no rule', name => {
    const xml = invoiceCases[name]?.[1]
    const written = xml && invoiceXml(xml())
    if (typeof written !== 'string') throw new Error(`${name} has no XML`)
    expect(schemaErrors(written)).toEqual([])
    expect(brokenInvoiceRules(written)).toEqual([])
    expectFile(fileOf(name), isDigest(name) ? `${createHash('sha256').update(written).digest('hex')}\n` : written)
  })
})

test('the folder holds these invoices and their list, and no other file', () => {
  expectFile('README.md', listing)
  expect(readdirSync(folder).toSorted()).toEqual(['README.md', ...names.map(fileOf)].toSorted())
})
