import type { ExpertiseFile } from '../../platform/table/items.ts'
import type { TaxFree } from '../../values/money.ts'

/** The template's file and the moment of its last visible change, in Unix seconds: raised with every such change. */
export const templateVersion = { file: 'shared/documents/expertise/sheet.ts', date: 1_795_669_930 } as const

const isUpToDate = ({ wine, template, tax_free = 0 }: ExpertiseFile, version: number, seller: TaxFree): boolean =>
  wine === version && template === templateVersion.date && tax_free === (seller.tax_free ?? 0)

/** True if a file shows the wine's version and its merchant's price in the present template, or was supplied by the merchant. */
export const isFresh = (file: ExpertiseFile | undefined, version: number, seller: TaxFree): file is ExpertiseFile =>
  file !== undefined && (file.supplied || isUpToDate(file, version, seller))
