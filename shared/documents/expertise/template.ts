import type { ExpertiseFile } from '../../platform/table/items.ts'

/** The template's file and the moment of its last visible change, in Unix seconds: raised with every such change. */
export const templateVersion = { file: 'shared/documents/expertise/sheet.ts', date: 1_795_669_930 } as const

/** True if a file shows the wine's version in the present template, or was supplied by the merchant. */
export const isFresh = (file: ExpertiseFile | undefined, version: number): file is ExpertiseFile =>
  file !== undefined && (file.supplied || (file.wine === version && file.template === templateVersion.date))
