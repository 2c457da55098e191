import { type Cents, completePrice, formatSum, parseMoney } from './money.ts'

/** The amounts of a price, strings with two decimals. */
export type Amounts = { gross: string; net: string; tax: string }

/** The amounts of a price, as far as they are given. */
export type GivenAmounts = { [Column in keyof Amounts]?: string | undefined }

/** The cents of an amount. Throws RangeError, naming the field, for a text that is none: it must never count as 0. */
export const centsOf = (amount: string, field: string): Cents => {
  const cents = parseMoney(amount)
  if (cents === undefined) throw new RangeError(`${field} is no amount with two decimals`)
  return cents
}

/**
 * All amounts of a price from those given, at a tax rate in whole percent; 'inconsistent' when they contradict each
 * other, or when one of them is larger than an amount of a record may be. Throws RangeError, naming the field of
 * `record`, for a text that is no amount.
 */
export const completeAmounts = (
  { gross, net, tax }: GivenAmounts,
  taxrate: number,
  record: string,
): Amounts | 'inconsistent' => {
  const sum = completePrice({
    ...(gross !== undefined && { gross: centsOf(gross, `gross of ${record}`) }),
    ...(net !== undefined && { net: centsOf(net, `net of ${record}`) }),
    ...(tax !== undefined && { tax: centsOf(tax, `tax of ${record}`) }),
    taxrate,
  })
  if (sum === 'inconsistent') return sum
  const amounts = formatSum(sum)
  // Net is never above gross. What cannot be read again must not be stored.
  return parseMoney(amounts.gross) === undefined ? 'inconsistent' : amounts
}
