// The package is installed by `npm run mutate` only.
declare module '@stryker-mutator/core' {
  import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'

  export class Stryker {
    constructor(options: PartialStrykerOptions)
    runMutationTest(): Promise<MutantResult[]>
  }
}
