import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

type Node = { type: string; callee?: Node; name?: string; object?: Node }
type Path = { node: Node; parentPath: Path | null; listKey?: string }

const isForPeople = ({ type, callee }: Node): boolean =>
  (type === 'NewExpression' && /^(Range|Type)?Error$/.test(callee?.name ?? '')) ||
  (type === 'CallExpression' && callee?.object?.name === 'log')

/** Texts of programming errors and of the log: no program decides by them, and no test should hold them. */
const shouldIgnore = ({ parentPath, listKey }: Path): string | undefined =>
  listKey === 'arguments' && parentPath && isForPeople(parentPath.node) ? 'a text for people' : undefined

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', { shouldIgnore: shouldIgnore as never })]
