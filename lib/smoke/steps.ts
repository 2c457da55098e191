import { list, routeAt } from '../../shared/reference/examples.ts'
import { cleanUpSteps } from './by-hand/clean-up.ts'
import { fileSteps } from './by-hand/files.ts'
import { orderSteps } from './by-hand/orders.ts'
import { packageSteps } from './by-hand/packages.ts'
import { paymentSteps } from './by-hand/payments.ts'
import { referenceSteps } from './by-hand/reference.ts'
import { walkListed } from './listed.ts'
import type { Step } from './walk.ts'

/** The requests of the list that need more than themselves. */
export const byHand = [...[...referenceSteps, ...packageSteps, ...fileSteps], ...[...orderSteps, ...paymentSteps]]

const listedSteps = list.requests.map((listed): Step => {
  const { path, does } = listed
  const own = byHand.find(one => one.path === path && one.does === does)
  return { route: routeAt(path).path, does, walk: walk => (own ? own.walk(walk, listed) : walkListed(walk, listed)) }
})

/** The way through all routes: later steps use what earlier steps wrote. */
export const steps = listedSteps.slice(0, -1)

/** The steps at the end, however far the walk got; the last step ends the session. */
export const lastSteps: readonly Step[] = [...cleanUpSteps, ...listedSteps.slice(-1)]
