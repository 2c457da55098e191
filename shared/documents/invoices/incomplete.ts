import type { BadField } from '../../contract/errors.ts'
import { lacksOfAddress, lacksOfContact, lacksOfTaxNumber } from '../../merchants/incomplete.ts'
import type { InvoiceContent } from './content.ts'
import type { NoteContent } from './note.ts'
import type { Party } from './party.ts'
import { isXRechnung } from './profile.ts'

const lack = (path: string, expected = 'filled in'): BadField => ({ path, rule: 'required', expected })

const lacksOfParty = (name: string, party: Party, fields: readonly ('address' | 'zip' | 'city')[]): BadField[] => [
  ...(party.isNamed ? [] : [lack(`${name}.name`)]),
  ...fields.filter(field => !party[field]?.trim()).map(field => lack(`${name}.${field}`)),
]

const lacksOfSeller = (names: readonly string[]): BadField[] => names.map(name => lack(`seller.${name}`))

/** The particulars that an invoice or a credit advice still lacks: those of § 14 UStG, and for an XRechnung those of its rules. */
export const lacksOfInvoice = (content: InvoiceContent): BadField[] => {
  const { seller, buyer, taxFree } = content
  const isPublic = isXRechnung(content)
  return [
    ...lacksOfSeller(lacksOfAddress(seller)),
    ...lacksOfTaxNumber(seller).map(name => lack(`seller.${name}`, 'filled in, or `vatid`')),
    ...lacksOfSeller(isPublic ? lacksOfContact(seller) : []),
    ...lacksOfParty('buyer', buyer, isPublic ? ['address', 'zip', 'city'] : ['address', 'city']),
    ...(taxFree && !taxFree.reason ? [lack('tax_free_reason')] : []),
  ]
}

/** The particulars that a delivery note still lacks: from whom the goods come, and where they go. */
export const lacksOfNote = ({ seller, recipient }: NoteContent): BadField[] => [
  ...lacksOfSeller(lacksOfAddress(seller)),
  ...lacksOfParty('recipient', recipient, ['address', 'city']),
]
