import { createRequire } from 'node:module'
import type TestSequencer from '@jest/test-sequencer'

type Test = Parameters<TestSequencer.default['sort']>[0] extends Iterable<infer T> ? T : never

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof TestSequencer

// The slowest first, so that no long file is left for the end, when the other cores have nothing to do.
const slowestFirst = ['stack', 'browser', 'service', 'domain', 'unit']

/** The tests of the stack are first of all: they have a process of their own. */
const rank = ({ duration, context }: Test): number => {
  const folder = slowestFirst.indexOf(context.config.displayName?.name ?? '')
  return duration === undefined || folder === 0 ? folder : 1
}

/** jest's own order but for the stack; where it knows no times yet, as in a fresh checkout, slow folders come first. */
export default class SlowFirst extends Sequencer {
  override sort(tests: Test[]): Test[] {
    return [...(super.sort(tests) as Test[])].sort((one, other) => rank(one) - rank(other))
  }
}
