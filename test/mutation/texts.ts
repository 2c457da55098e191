import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

type Node = { type: string; callee?: Node; name?: string; object?: Node; expression?: Node }
type Path = { node: Node; parentPath: Path | null; listKey?: string }

const errors = /^(Range|Type)?Error$|^(Certificate(Refused|Unavailable)|Unavailable)$/

// Their messages go to the log.
const tellers = /^(providerFailure|providerUnusable|refuse|refusal|readAs|orderIn|ignored)$/

const isLog = ({ type, callee }: Node): boolean => type === 'CallExpression' && callee?.object?.name === 'log'

const isForPeople = (node: Node): boolean =>
  (node.type === 'NewExpression' && errors.test(node.callee?.name ?? '')) ||
  (node.type === 'CallExpression' && tellers.test(node.callee?.name ?? '')) ||
  isLog(node)

/** Texts of programming errors and of the log: no program decides by them, and no test should hold them. */
const shouldIgnore = ({ node, parentPath, listKey }: Path): string | undefined => {
  const isText = listKey === 'arguments' && parentPath && isForPeople(parentPath.node)
  const isLine = node.type === 'ExpressionStatement' && node.expression && isLog(node.expression)
  return isText || isLine ? 'a text for people' : undefined
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', { shouldIgnore: shouldIgnore as never })]
