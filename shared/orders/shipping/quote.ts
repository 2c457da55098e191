import { Problem } from '../../contract/errors.ts'
import type { PackagingQuestion, ShippingCost } from '../../contract/routes/packaging.ts'
import { type Page, wholeList } from '../../contract/schema/lists.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import { asSoldBy, type Cents, formatSum, noSum, type PriceTerms, paysNoTax } from '../../values/money.ts'
import { cartTotals, inRange } from '../placing/totals.ts'
import { type NamedPackage, shippingFor, withName } from './cost.ts'

const grossOf = ({ net, tax, gross }: PackagingQuestion): Cents => gross ?? (net ?? 0) + (tax ?? 0)

/**
 * Prices the packages for a number of bottles as an order would, for a signed-in client as its own order; free if the gross
 * value of the goods is given and high enough. Throws package_not_found, also for a price beyond 2^53 cents.
 */
export const findPackaging = async (
  merchant: MerchantId,
  question: PackagingQuestion,
  client?: PriceTerms,
): Promise<{ data: ShippingCost; summary: { freightfreelimit: string | null } }> => {
  const [settings, item] = await getItems([key('merchant', { merchant }), key('packages', { merchant })])
  if (!settings) throw new Error(`the merchant ${merchant} of a session does not exist`)
  const packages = (item?.packages ?? []).map(pack => asSoldBy(settings, pack))
  const line = shippingFor(packages, {
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
  const [sum = noSum] = inRange(
    () => cartTotals(cart),
    () => new Problem('package_not_found'),
  ).lines
  return {
    data: { id, name, ...formatSum(sum), taxrate: taxFree ? 0 : taxrate, quantity },
    summary: { freightfreelimit: settings.freight_free_from },
  }
}

export const listPackages = async (merchant: MerchantId): Promise<Page<NamedPackage>> => {
  const [seller, item] = await getItems([key('merchant', { merchant }), key('packages', { merchant })])
  return wholeList((item?.packages ?? []).map(pack => withName(asSoldBy(seller ?? {}, pack))))
}
