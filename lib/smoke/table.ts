import type { Row } from './run.ts'
import { lastSteps, steps } from './steps.ts'

const widest = (name: 'route' | 'does'): number => Math.max(...[...steps, ...lastSteps].map(one => one[name].length))
const [routeWidth, doesWidth] = [widest('route'), widest('does')]

const line = (route: string, does: string, status: string, ms: string, result: string): string =>
  [route.padEnd(routeWidth), does.padEnd(doesWidth), status.padEnd(13), ms.padStart(7), result].join('  ').trimEnd()

export const tableHead = (): string => line('route', 'step', 'status', 'ms', 'result')

export const tableLine = ({ route, does, statuses, ms, wrong, remark }: Row): string => {
  const done = statuses.length > 0 ? 'ok' : 'not done'
  const result = wrong ? `DIFFERS: ${wrong}` : `${done}${remark && ` (${remark})`}`
  return line(route, does, statuses.join(', ') || '-', ms === 0 ? '-' : ms.toFixed(0), result)
}
