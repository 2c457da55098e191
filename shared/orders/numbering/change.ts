import type { NumberedMerchant, NumberingsChange } from '../../contract/records/merchant.ts'
import { changeMerchant, checkDefault, type MerchantChange, unchangedTypes } from '../../merchants/edit.ts'
import { shownMerchant } from '../../merchants/settings.ts'
import { hasVersion } from '../../platform/table/expressions.ts'
import type { Merchant } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItemGroups } from '../../platform/table/table.ts'
import { type Action, put, transact, update } from '../../platform/table/transact.ts'
import { timestamp } from '../../values/time.ts'
import { numberingsOf, withNumberings } from './formats.ts'
import { counterKeys, type Numbers, numbersIn, updateNumbers, withNumbers } from './numbers.ts'

const readAll = async (merchant: MerchantId) => {
  const found = await getItemGroups({
    merchants: [key('merchant', { merchant })],
    numbers: counterKeys(merchant),
    former: [key('formerSeries', { merchant })],
  })
  const [[account], numbers, [former]] = [found.merchants, numbersIn(found.numbers), found.former]
  if (!account || !numbers) throw new Error(`the merchant ${merchant} lacks its settings or its numbers`)
  return { account, numbers, former }
}

const numberedMerchant = (account: Merchant, numbers: Numbers): NumberedMerchant => ({
  ...shownMerchant(account),
  numbers: numberingsOf(numbers, { now: timestamp(Date.now()), merchant: account }),
})

/** A merchant as its shop reads it, with how it numbers its documents. */
export const readNumbered = async (merchant: MerchantId): Promise<NumberedMerchant> => {
  const { account, numbers } = await readAll(merchant)
  return numberedMerchant(account, numbers)
}

const settingActions = (merchant: MerchantId, account: Merchant, change: MerchantChange): Action[] => {
  if (Object.keys(change).length === 0) return []
  checkDefault({ ...account, ...change })
  return [update('merchant', key('merchant', { merchant }), { set: change }, unchangedTypes(account))]
}

/** Changes settings and numbers in one transaction, between two orders; the former formats change with their version. */
const changeBoth = (merchant: MerchantId, numberings: NumberingsChange, change: MerchantChange) =>
  withNumbers({
    attempt: async () => {
      const { account, numbers, former } = await readAll(merchant)
      const version = former?.version ?? 0
      const moment = { now: timestamp(Date.now()), merchant: { ...account, ...change } }
      const after = withNumberings({ numbers, former: former?.former ?? [] }, numberings, moment)
      const counted = updateNumbers(merchant, numbers, after.numbers)
      const formerItem = { version: version + 1, former: [...after.former] }
      const actions = [
        ...counted,
        ...(counted.length > 0
          ? [put('former', key('formerSeries', { merchant }), formerItem, { when: [hasVersion(version)] })]
          : []),
        ...settingActions(merchant, account, change),
      ]
      if (actions.length > 0) await transact(actions)
      return numberedMerchant({ ...account, ...change }, after.numbers)
    },
  })

/**
 * Changes some fields of a merchant, and how it numbers its documents. Throws nothing_to_change, validation_failed or
 * number_taken.
 */
export const changeNumbered = async (
  merchant: MerchantId,
  { numbers = {}, ...change }: MerchantChange & { numbers?: NumberingsChange | undefined },
): Promise<NumberedMerchant> => {
  const hasNumbers = Object.values(numbers).some(wish => wish && Object.keys(wish).length > 0)
  if (hasNumbers) return changeBoth(merchant, numbers, change)
  await changeMerchant(merchant, change)
  return readNumbered(merchant)
}
