import { Argument, type Command } from 'commander'
import { Problem } from '../../../shared/contract/errors.ts'
import { advanceOrder, StepRefused } from '../../../shared/orders/advance.ts'
import { cancelById } from '../../../shared/orders/checkout/cancel.ts'
import { sweep } from '../../../shared/orders/checkout/sweep.ts'
import type { OrderRecord } from '../../../shared/orders/record.ts'
import type { OrderEvent } from '../../../shared/orders/states.ts'
import type { MerchantId } from '../../../shared/table/keys.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { say } from '../say.ts'

const operator = 'operator'

/** The steps a person makes, as they are called here, and what they mean to the order. */
const steps = {
  paid: 'money_received',
  pack: 'pack',
  ship: 'ship',
  close: 'close',
  cancel: 'cancel',
} as const satisfies Record<string, OrderEvent>

type Step = keyof typeof steps

const make = async (merchant: MerchantId, id: number, step: Step): Promise<OrderRecord> => {
  try {
    if (step === 'cancel') return (await cancelById(merchant, id, 'cancel', operator)).order
    return await advanceOrder(merchant, id, steps[step], operator)
  } catch (error) {
    if (error instanceof StepRefused) throw new Refused(error.message)
    if (error instanceof Problem) throw new Refused(`order ${id}: ${error.message}`)
    throw error
  }
}

const order = async (merchant: string, number: string, step: Step): Promise<void> => {
  if (!/^[1-9]\d{0,15}$/.test(number)) throw new Refused(`${number} is no order number`)
  const { id } = await findMerchant(merchant)
  const { header, documents } = await make(id, Number(number), step)
  const papers = Object.entries(documents).flatMap(([kind, all]) => (all.length > 0 ? [`${kind} ${all.length}`] : []))
  say(
    `order ${header.number} is ${header.status}${header.paid ? ', paid' : ''}${papers.length > 0 ? ` (${papers.join(', ')})` : ''}`,
  )
}

/** The commands over orders: what happens to them outside the shop. */
export const addOrderCommands = (program: Command): void => {
  program
    .command('order')
    .argument('<merchant>', 'id or name')
    .argument('<number>', "the order's number")
    .addArgument(new Argument('<step>', 'what happened').choices(Object.keys(steps)))
    .description('moves an order: paid (money received), pack, ship, close, cancel')
    .action(order)

  program
    .command('sweep')
    .option('--hours <hours>', 'how long an order may wait for its payment', '24')
    .description(
      'ends orders that nobody paid in time and pays money of cancelled orders back; on AWS it runs every hour',
    )
    .action(async ({ hours }: { hours: string }) => {
      if (!/^\d{1,4}$/.test(hours)) throw new Refused(`${hours} is no number of hours`)
      const { cancelled, paid, refunded, left, failures } = await sweep(Number(hours))
      say(
        `${cancelled} orders cancelled, ${paid} paid after all, ${refunded} payments paid back, ${left} left for later`,
      )
      if (failures.length > 0)
        throw new Refused([...failures, `${failures.length} payments could not be looked after`].join('\n'))
    })
}
