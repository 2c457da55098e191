import { createRequire } from 'node:module'
import type JestRunner from 'jest-runner'

const { default: Runner } = createRequire(import.meta.url)('jest-runner') as { default: typeof JestRunner.default }

/** Runs the files of a project one after another, in jest's own process. */
export default class InBandRunner extends Runner {
  override readonly isSerial = true
}
