import type { DemoMerchant } from '../../lib/tool/demo/credentials.ts'
import * as demo from '../../lib/tool/demo/records.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'

/** The wines of a demo merchant without translations; their path_segments follow from their names. */
export const demoWinesOf = (merchant: DemoMerchant): WineRow[] =>
  demo.demoWinesOf(merchant).flatMap(({ path_segment, ...row }) => (row.original ? [] : [row]))
