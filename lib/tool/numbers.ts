import { ConditionFailed } from '../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { Refused } from './merchants.ts'

/** The counters whose last numbers may be raised, with their ids. Pages of orders rely on ids without gaps. */
export const numbered = {
  invoices: 'invoices',
  deliveryNotes: 'delivery notes',
  creditAdvices: 'credit advices',
} as const

export type Numbered = keyof typeof numbered
const all = Object.keys(numbered) as Numbered[]

/** The last number, and how much its id exceeds it. */
const lastOf = async (merchant: MerchantId, counter: Numbered): Promise<{ last: number; offset: number }> => {
  const { last = 0, series } = (await getItem(key('numbers', { merchant, counter }))) ?? {}
  const offset = series?.offset ?? 0
  return { last: last - offset, offset }
}

/** Reads a document number of the command line. Throws Refused. */
export const readNumber = (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number > 0 && number <= 2 ** 31) return number
  throw new Refused(`a number must be a whole number of 1 or more: ${text}`)
}

const raise = async (merchant: MerchantId, counter: Numbered, last: number): Promise<void> => {
  try {
    const id = last + (await lastOf(merchant, counter)).offset
    await updateItem(key('numbers', { merchant, counter }), { set: { last: id } }, [
      { attribute: 'last', is: '<', value: id },
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const { last: given } = await lastOf(merchant, counter)
    throw new Refused(`the last number of ${numbered[counter]} is ${given} already: numbers are only raised`)
  }
}

/**
 * Raises the last document numbers of a merchant and returns all last numbers. Throws Refused for numbers that are not
 * above the last numbers; the others are raised, so that an interrupted command can be repeated.
 */
export const raiseNumbers = async (
  merchant: MerchantId,
  wanted: Partial<Record<Numbered, number>>,
): Promise<Record<Numbered, number>> => {
  const refusals: string[] = []
  for (const counter of all) {
    const last = wanted[counter]
    if (last === undefined) continue
    await raise(merchant, counter, last).catch(error => {
      if (!(error instanceof Refused)) throw error
      refusals.push(error.message)
    })
  }
  if (refusals.length > 0) throw new Refused(refusals.join('; '))
  const lasts = await Promise.all(all.map(async counter => [counter, (await lastOf(merchant, counter)).last] as const))
  return Object.fromEntries(lasts) as Record<Numbered, number>
}
