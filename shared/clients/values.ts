/** The words of a client's `type`. */
export const clientTypes = [
  'private',
  'gastronomy',
  'wholesale',
  'specializedtrade',
  'foodretailing',
  'reseller',
  'export',
  'online',
  'other',
] as const

/** The words of `invoice_type`: whether an invoice starts from net or from gross prices. */
export const invoiceTypes = ['net', 'gross'] as const
