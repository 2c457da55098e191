import { Problem } from '../contract/errors.ts'
import { type Page, wholeList } from '../contract/lists.ts'
import type { Freight, PackagingQuestion } from '../contract/packaging.ts'
import type { Package } from '../contract/records/package.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, getItems } from '../platform/table/table.ts'
import { type Cents, formatSum, noSum, type PriceTerms, paysNoTax } from '../values/money.ts'
import { freightFor, packageName } from './placing/freight.ts'
import { cartTotals } from './placing/totals.ts'

/** The gross value of the goods, as far as it is told. */
const grossOf = ({ net, tax, gross }: PackagingQuestion): Cents => gross ?? (net ?? 0) + (tax ?? 0)

// Millions of bottles in single packages may cost more than amounts can be written for.
const inRange = <T>(price: () => T): T => {
  try {
    return price()
  } catch (error) {
    if (error instanceof RangeError) throw new Problem('package_not_found')
    throw error
  }
}

/**
 * What sending a number of bottles costs, priced as an order would be, for a signed-in client as one of its own; free for
 * goods whose gross value is told and high enough. Throws package_not_found.
 */
export const findPackaging = async (
  merchant: MerchantId,
  question: PackagingQuestion,
  client?: PriceTerms,
): Promise<{ data: Freight; summary: { freightfreelimit: string | null } }> => {
  const [settings, item] = await getItems([key('merchant', { merchant }), key('packages', { merchant })])
  if (!settings) throw new Error(`there is no merchant ${merchant}, though its session is`)
  const line = freightFor(item?.packages ?? [], {
    merchant: settings,
    bottles: question.bottles,
    goodsGross: grossOf(question),
  })
  if (!line) throw new Problem('package_not_found')
  const { item_id: id, name, taxrate, quantity, unit } = line
  const taxFree = paysNoTax(settings, client)
  const cart = {
    lines: [{ kind: 'package', quantity, taxrate, unit }],
    mode: question.invoice_type,
    taxFree,
    cashback: 0,
  } as const
  const [sum = noSum] = inRange(() => cartTotals(cart)).lines
  return {
    data: { id, name, ...formatSum(sum), taxrate: taxFree ? 0 : taxrate, quantity },
    summary: { freightfreelimit: settings.freight_free_from },
  }
}

/** Lists a merchant's packages. */
export const listPackages = async (merchant: MerchantId): Promise<Page<Package & { name: string }>> => {
  const item = await getItem(key('packages', { merchant }))
  return wholeList((item?.packages ?? []).map(parcel => ({ ...parcel, name: packageName(parcel) })))
}
