import type { ShownMerchant } from '../contract/records/merchant.ts'
import type { Seller } from '../contract/records/order.ts'
import type { Role } from '../contract/vocabulary.ts'

/** The particulars of a merchant that its documents show. */
export type SellerFields = Partial<
  Pick<Seller, 'address' | 'zip' | 'city' | 'taxid' | 'vatid' | 'tax_free_reason' | 'contact_person' | 'phone' | 'mail'>
>

const unset = <Name extends keyof SellerFields>(seller: SellerFields, ...names: Name[]): Name[] =>
  names.filter(name => !seller[name]?.trim())

/** The fields of its address that a seller lacks. */
export const lacksOfAddress = (seller: SellerFields) => unset(seller, 'address', 'zip', 'city')

/** `taxid` if a seller has neither a tax number nor a VAT number: either is enough. */
export const lacksOfTaxNumber = (seller: SellerFields) =>
  unset(seller, 'vatid').length > 0 ? unset(seller, 'taxid') : []

/** The fields of its contact that a seller lacks for an XRechnung. */
export const lacksOfContact = (seller: SellerFields) => unset(seller, 'contact_person', 'phone', 'mail')

/** The fields of `customers/edit` that a merchant's invoices still lack, and XRechnungen besides. */
export const incompleteOf = (merchant: SellerFields & { tax_free?: 0 | 1 | undefined }) => ({
  invoices: [
    ...lacksOfAddress(merchant),
    ...lacksOfTaxNumber(merchant),
    ...(merchant.tax_free ? unset(merchant, 'tax_free_reason') : []),
  ],
  xrechnungen: lacksOfContact(merchant),
})

/** A merchant as it is shown to a session: the role `desk` sees what its documents lack. */
export const ownMerchant = <Shown extends ShownMerchant>(merchant: Shown, role: Role): Shown =>
  role === 'desk' ? { ...merchant, incomplete: incompleteOf(merchant) } : merchant
