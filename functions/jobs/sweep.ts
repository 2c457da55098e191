import { log } from '../../shared/log.ts'
import { sweep } from '../../shared/orders/checkout/sweep.ts'

export const handler = async (): Promise<void> => {
  log.info('swept', await sweep())
}
