import type { Step } from '../walk.ts'
import { addressSteps, goneAddressSteps } from './addresses.ts'
import { basketSteps } from './baskets.ts'
import { cleanUpSteps } from './clean-up.ts'
import { clientSteps } from './clients.ts'
import { fileSteps } from './files.ts'
import { goodsSteps } from './goods.ts'
import { labelSteps, withdrawLabelSteps } from './labels.ts'
import { merchantSteps } from './merchant.ts'
import { cancelSteps, orderSteps } from './orders.ts'
import { packageSteps } from './packages.ts'
import { paymentSteps } from './payments.ts'
import { publicSteps, withdrawSteps } from './public.ts'
import { referenceSteps } from './reference.ts'
import { signInSteps, signOutSteps } from './sign-in.ts'
import { stockSteps } from './stocks.ts'
import { wineSteps } from './wines.ts'

/** The way through all routes: later steps use what earlier ones wrote. */
export const steps: readonly Step[] = [
  ...signInSteps,
  ...referenceSteps,
  ...merchantSteps,
  ...wineSteps,
  ...stockSteps,
  ...labelSteps,
  ...goodsSteps,
  ...packageSteps,
  ...publicSteps,
  ...fileSteps,
  ...clientSteps,
  ...addressSteps,
  ...basketSteps,
  ...orderSteps,
  ...paymentSteps,
  ...cancelSteps,
  ...goneAddressSteps,
  ...withdrawLabelSteps,
  ...withdrawSteps,
]

/** The steps at the end, however far the walk got. */
export const lastSteps: readonly Step[] = [...cleanUpSteps, ...signOutSteps]
