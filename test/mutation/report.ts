import { relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** Tells each mutant that lives as soon as that is known: a whole run takes its time. */
const onMutantTested = ({ status, fileName, location, replacement = '' }: MutantResult): void => {
  if (status !== 'Survived') return
  const place = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`
  process.stdout.write(`alive: ${place} → ${replacement.replace(/\s+/g, ' ').slice(0, 100)}\n`)
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Reporter, 'alive', { onMutantTested })]
